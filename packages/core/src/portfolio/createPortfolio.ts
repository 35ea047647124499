import type { Balance } from '@headwater/contract'
import { type Decimal, toDecimal } from '../amounts/decimals.ts'
import { isLowLiquidity } from '../amounts/isLowLiquidity.ts'
import { DecimalSum } from './DecimalSum.ts'
import type { Portfolio, PortfolioChange, PortfolioTotals } from './Portfolio.ts'

/**
 * Sums the balances of a wallet.
 *
 * @param rows - The balances.
 * @param offsets - The requested offsets of historical prices, in hours.
 * @param completeness - How complete the rows are.
 */
export function createPortfolio(
  rows: readonly Balance[],
  offsets: readonly number[],
  completeness: Pick<Portfolio, 'complete' | 'warnings' | 'errors'>,
): Portfolio {
  const chains = new Map<number, { readonly sums: PortfolioSums; readonly chain?: string }>()
  for (const row of rows) {
    let entry = chains.get(row.chain_id)
    if (entry === undefined) {
      const { chain } = row
      entry = { sums: new PortfolioSums(offsets), ...(chain !== undefined && { chain }) }
      chains.set(row.chain_id, entry)
    }
    entry.sums.add(row)
  }
  const total = new PortfolioSums(offsets)
  for (const { sums } of chains.values()) {
    total.addAll(sums)
  }
  const totals = total.toTotals()
  return {
    ...totals,
    chains: [...chains]
      .map(([chain_id, { sums, ...chain }]) => {
        const chainTotals = sums.toTotals()
        const share = getShare(chainTotals.value_usd, totals.value_usd)
        return { chain_id, ...chain, ...chainTotals, share }
      })
      .sort((a, b) => b.value_usd - a.value_usd || a.chain_id - b.chain_id),
    ...completeness,
  }
}

/** Exact sums of several balances. */
class PortfolioSums {
  readonly #offsets: readonly number[]
  readonly #value = new DecimalSum()
  readonly #lowLiquidityValue = new DecimalSum()
  /** Per offset: the current and the past value of the balances with a known past price. */
  readonly #changes: readonly { readonly now: DecimalSum; readonly then: DecimalSum }[]
  #tokens = 0
  #pricedTokens = 0
  #lowLiquidityTokens = 0

  constructor(offsets: readonly number[]) {
    this.#offsets = offsets
    this.#changes = offsets.map(() => ({ now: new DecimalSum(), then: new DecimalSum() }))
  }

  add(row: Balance): void {
    const { now, past, hasLowLiquidity } = getRowValue(row)
    this.#tokens++
    if (now === undefined) {
      return
    }
    this.#pricedTokens++
    if (hasLowLiquidity) {
      this.#lowLiquidityTokens++
      this.#lowLiquidityValue.add(now)
      return
    }
    this.#value.add(now)
    this.#offsets.forEach((offset, index) => {
      const then = past.get(offset)
      const change = this.#changes[index]
      if (then === undefined || change === undefined) {
        return
      }
      change.now.add(now)
      change.then.add(then)
    })
  }

  addAll(other: PortfolioSums): void {
    this.#tokens += other.#tokens
    this.#pricedTokens += other.#pricedTokens
    this.#lowLiquidityTokens += other.#lowLiquidityTokens
    this.#value.addAll(other.#value)
    this.#lowLiquidityValue.addAll(other.#lowLiquidityValue)
    this.#changes.forEach(({ now, then }, index) => {
      const change = other.#changes[index]
      if (change === undefined) {
        return
      }
      now.addAll(change.now)
      then.addAll(change.then)
    })
  }

  toTotals(): PortfolioTotals {
    const value_usd = this.#value.toNumber()
    return {
      value_usd,
      changes: this.#offsets.map((offset, index) => this.#toChange(offset, index, value_usd)),
      tokens: this.#tokens,
      pricedShare: this.#tokens === 0 ? 1 : this.#pricedTokens / this.#tokens,
      lowLiquidity: {
        value_usd: this.#lowLiquidityValue.toNumber(),
        tokens: this.#lowLiquidityTokens,
      },
    }
  }

  #toChange(offset_hours: number, index: number, value: number): PortfolioChange {
    const { now = new DecimalSum(), then = new DecimalSum() } = this.#changes[index] ?? {}
    const change = new DecimalSum()
    change.addAll(now)
    change.subtractAll(then)
    const change_usd = change.toNumber()
    const pastValue = then.toNumber()
    return {
      offset_hours,
      change_usd,
      ...(pastValue > 0 && { percent: (change_usd / pastValue) * 100 }),
      share: getShare(now.toNumber(), value),
    }
  }
}

/** The exact value of a balance in USD. */
interface RowValue {
  /** At the current price; undefined if unpriced. */
  readonly now: Decimal | undefined
  /** At known past prices, by offset in hours. */
  readonly past: ReadonlyMap<number, Decimal>
  readonly hasLowLiquidity: boolean
}

const rowValues = new WeakMap<Balance, RowValue>()

/** Computed once per row, as a row keeps its identity while nothing about it changed. */
function getRowValue(row: Balance): RowValue {
  let value = rowValues.get(row)
  if (value === undefined) {
    rowValues.set(row, (value = computeRowValue(row)))
  }
  return value
}

function computeRowValue(row: Balance): RowValue {
  const { amount, decimals, price_usd: price, value_usd: value } = row
  const past = new Map<number, Decimal>()
  const hasLowLiquidity = isLowLiquidity(row)
  if (price === undefined || decimals === undefined) {
    return { now: value === undefined ? undefined : toDecimal(value), past, hasLowLiquidity }
  }
  const atPrice = (usd: number): Decimal => {
    const { coefficient, exponent } = toDecimal(usd)
    return { coefficient: coefficient * BigInt(amount), exponent: exponent - decimals }
  }
  for (const { offset_hours, price_usd } of row.historical_prices ?? []) {
    if (typeof price_usd === 'number') {
      past.set(offset_hours, atPrice(price_usd))
    }
  }
  return { now: atPrice(price), past, hasLowLiquidity }
}

/** A part as a share of the whole, from 0 to 1. */
function getShare(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0
}
