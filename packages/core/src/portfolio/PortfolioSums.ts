import type { Balance } from '@headwater/contract'
import { DecimalSum } from './DecimalSum.ts'
import type { PortfolioChange, PortfolioPart } from './Portfolio.ts'
import { shareOf } from './shareOf.ts'
import { worthOf } from './worthOf.ts'

/** What is held together, added up exactly. */
export class PortfolioSums {
  readonly value = new DecimalSum()
  readonly lowLiquidity = new DecimalSum()
  readonly changes: readonly { readonly now: DecimalSum; readonly then: DecimalSum }[]
  readonly #offsets: readonly number[]
  tokens = 0
  priced = 0
  illiquid = 0

  constructor(offsets: readonly number[]) {
    this.#offsets = offsets
    this.changes = offsets.map(() => ({ now: new DecimalSum(), then: new DecimalSum() }))
  }

  add(row: Balance): void {
    const { now, past, isLowLiquidity } = worthOf(row)
    this.tokens++
    if (now === undefined) return
    this.priced++
    if (isLowLiquidity) {
      this.illiquid++
      this.lowLiquidity.add(now)
      return
    }
    this.value.add(now)
    this.#offsets.forEach((offset, index) => {
      const then = past.get(offset)
      const change = this.changes[index]
      if (then === undefined || change === undefined) return
      change.now.add(now)
      change.then.add(then)
    })
  }

  addAll(other: PortfolioSums): void {
    this.tokens += other.tokens
    this.priced += other.priced
    this.illiquid += other.illiquid
    this.value.addAll(other.value)
    this.lowLiquidity.addAll(other.lowLiquidity)
    this.changes.forEach(({ now, then }, index) => {
      const change = other.changes[index]
      if (change === undefined) return
      now.addAll(change.now)
      then.addAll(change.then)
    })
  }

  toPart(): PortfolioPart {
    const value_usd = this.value.toNumber()
    return {
      value_usd,
      changes: this.#offsets.map((offset, index) => this.#change(offset, index, value_usd)),
      tokens: this.tokens,
      pricedShare: this.tokens === 0 ? 1 : this.priced / this.tokens,
      lowLiquidity: { value_usd: this.lowLiquidity.toNumber(), tokens: this.illiquid },
    }
  }

  #change(offset_hours: number, index: number, value: number): PortfolioChange {
    const { now = new DecimalSum(), then = new DecimalSum() } = this.changes[index] ?? {}
    const change = new DecimalSum()
    change.addAll(now)
    change.subtractAll(then)
    const change_usd = change.toNumber()
    const before = then.toNumber()
    return {
      offset_hours,
      change_usd,
      ...(before > 0 && { percent: (change_usd / before) * 100 }),
      share: shareOf(now.toNumber(), value),
    }
  }
}
