import type { Balance } from '@headwater/contract'
import { DecimalSum } from './DecimalSum.ts'
import { getRowValue } from './getRowValue.ts'
import { mergeBalances } from './mergeBalances.ts'
import type { Portfolio, PortfolioChange, PortfolioTotals } from './Portfolio.ts'

/** The balances of a wallet. */
interface WalletBalances {
  readonly address: string
  readonly rows: readonly Balance[]
  /** Sums of the rows. */
  readonly sums: ChainSums
  readonly complete: boolean
}

/**
 * Adds up wallets.
 *
 * @param wallets - The balances of each wallet.
 * @param offsets - The requested offsets of historical prices, in hours.
 * @param notices - What is known to be missing.
 */
export function createPortfolio(
  wallets: readonly WalletBalances[],
  offsets: readonly number[],
  notices: Pick<Portfolio, 'warnings' | 'errors'>,
): Portfolio {
  const sums = new ChainSums(offsets)
  for (const wallet of wallets) {
    sums.addAll(wallet.sums)
  }
  const totals = sums.toTotals()
  return {
    ...totals,
    wallets: wallets
      .map(({ address, sums, complete }) => {
        const walletTotals = sums.toTotals()
        const share = getShare(walletTotals.value_usd, totals.value_usd)
        return { address, ...walletTotals, share, complete }
      })
      .sort((a, b) => b.value_usd - a.value_usd || (a.address < b.address ? -1 : 1)),
    holdings: mergeBalances(wallets),
    complete: wallets.every(({ complete }) => complete),
    ...notices,
  }
}

/** Exact sums of balances by chain. */
export class ChainSums {
  readonly #offsets: readonly number[]
  readonly #chains = new Map<
    number,
    { readonly sums: PortfolioSums; readonly chain: string | undefined }
  >()

  constructor(offsets: readonly number[], rows: readonly Balance[] = []) {
    this.#offsets = offsets
    for (const row of rows) {
      this.#get(row.chain_id, row.chain).add(row)
    }
  }

  addAll(other: ChainSums): void {
    for (const [id, { sums, chain }] of other.#chains) {
      this.#get(id, chain).addAll(sums)
    }
  }

  toTotals(): PortfolioTotals & Pick<Portfolio, 'chains'> {
    const total = new PortfolioSums(this.#offsets)
    for (const { sums } of this.#chains.values()) {
      total.addAll(sums)
    }
    const totals = total.toTotals()
    const chains = [...this.#chains].map(([chain_id, { sums, chain }]) => {
      const chainTotals = sums.toTotals()
      const share = getShare(chainTotals.value_usd, totals.value_usd)
      return { chain_id, ...(chain !== undefined && { chain }), ...chainTotals, share }
    })
    return {
      ...totals,
      chains: chains.sort((a, b) => b.value_usd - a.value_usd || a.chain_id - b.chain_id),
    }
  }

  #get(id: number, chain: string | undefined): PortfolioSums {
    let entry = this.#chains.get(id)
    if (entry === undefined) {
      entry = { sums: new PortfolioSums(this.#offsets), chain }
      this.#chains.set(id, entry)
    }
    return entry.sums
  }
}

/** Exact sums of several balances. */
class PortfolioSums {
  readonly #value = new DecimalSum()
  readonly #lowLiquidityValue = new DecimalSum()
  readonly #changes: readonly ChangeSums[]
  #tokens = 0
  #pricedTokens = 0
  #lowLiquidityTokens = 0

  constructor(offsets: readonly number[]) {
    this.#changes = offsets.map((offset) => ({
      offset,
      now: new DecimalSum(),
      then: new DecimalSum(),
    }))
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
    for (const change of this.#changes) {
      const then = past.get(change.offset)
      if (then !== undefined) {
        change.now.add(now)
        change.then.add(then)
      }
    }
  }

  addAll(other: PortfolioSums): void {
    this.#tokens += other.#tokens
    this.#pricedTokens += other.#pricedTokens
    this.#lowLiquidityTokens += other.#lowLiquidityTokens
    this.#value.addAll(other.#value)
    this.#lowLiquidityValue.addAll(other.#lowLiquidityValue)
    this.#changes.forEach(({ now, then }, index) => {
      const change = other.#changes[index]!
      now.addAll(change.now)
      then.addAll(change.then)
    })
  }

  toTotals(): PortfolioTotals {
    const value_usd = this.#value.toNumber()
    return {
      value_usd,
      changes: this.#changes.map((change) => toPortfolioChange(change, value_usd)),
      tokens: this.#tokens,
      pricedShare: this.#tokens === 0 ? 1 : this.#pricedTokens / this.#tokens,
      lowLiquidity: {
        value_usd: this.#lowLiquidityValue.toNumber(),
        tokens: this.#lowLiquidityTokens,
      },
    }
  }
}

/** The current and the past value of the balances with a known past price. */
interface ChangeSums {
  readonly offset: number
  readonly now: DecimalSum
  readonly then: DecimalSum
}

/** @param value - The value of all balances. */
function toPortfolioChange({ offset, now, then }: ChangeSums, value: number): PortfolioChange {
  const change = new DecimalSum()
  change.addAll(now)
  change.subtractAll(then)
  const change_usd = change.toNumber()
  const pastValue = then.toNumber()
  return {
    offset_hours: offset,
    change_usd,
    ...(pastValue > 0 && { percent: (change_usd / pastValue) * 100 }),
    share: getShare(now.toNumber(), value),
  }
}

/** A part as a share of the whole, from 0 to 1. */
function getShare(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0
}
