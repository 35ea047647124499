import type { HistoricalPrice } from '@headwater/contract'

const hour = 3_600_000
/** How far the moment of a past price may be from the one meant: a 24th of its offset, at most an hour. */
const toleranceOf = (offset: number): number => (Math.min(offset, 24) / 24) * hour
/** A past price that was asked for and not told is asked for again after this many milliseconds. */
const askAgainAfter = 60_000

/** What is known of the past prices of one token: by offset, the newest moment. */
export class PastPrices {
  readonly #known = new Map<number, { readonly price_usd: number | null; readonly at: number }>()
  readonly #askedAt = new Map<number, number>()

  /** Takes what an answer that came at a time tells of the past. */
  take({ offset_hours: offset, price_usd }: HistoricalPrice, heardAt: number): void {
    const at = heardAt - offset * hour
    if (!(at < (this.#known.get(offset)?.at ?? -Infinity)))
      this.#known.set(offset, { price_usd, at })
  }

  /** The price some hours ago, as near to that moment as so many tolerances. */
  find(offset: number, now: number, tolerances = 1): HistoricalPrice | undefined {
    const known = this.#known.get(offset)
    if (!known || Math.abs(now - offset * hour - known.at) > tolerances * toleranceOf(offset)) {
      return undefined
    }
    return { offset_hours: offset, price_usd: known.price_usd }
  }

  /** Which of the offsets are to be asked for. */
  missing(offsets: readonly number[], now: number): number[] {
    return offsets.filter(
      (offset) =>
        !this.find(offset, now) &&
        !(Math.abs(now - (this.#askedAt.get(offset) ?? -Infinity)) < askAgainAfter),
    )
  }

  /** Takes note that offsets are asked for, or (`-Infinity`) that this came to nothing. */
  asked(offsets: readonly number[], now: number): void {
    for (const offset of offsets) this.#askedAt.set(offset, now)
  }
}
