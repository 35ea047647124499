import type { HistoricalPrice } from '@headwater/contract'

const hour = 3_600_000
/** A past price that was asked for and not told is asked for again after this many milliseconds. */
const askAgainAfter = 60_000

/** What is known of the past prices of one token: of each offset the newest. */
export class PastPrices {
  readonly #known = new Map<number, { readonly price_usd: number | null; readonly at: number }>()
  readonly #askedAt = new Map<number, number>()

  /** Takes what an answer that was asked for at a time tells of the past. */
  take({ offset_hours: offset, price_usd }: HistoricalPrice, sentAt: number): void {
    const at = sentAt - offset * hour
    if (!(at < (this.#known.get(offset)?.at ?? 0))) this.#known.set(offset, { price_usd, at })
  }

  /**
   * The price some hours ago.
   *
   * @param tolerances - How far off its moment may be: a 24th of the offset, at most an hour, so many times.
   */
  find(offset: number, tolerances = 1): HistoricalPrice | undefined {
    const known = this.#known.get(offset)
    const off = Math.abs(Date.now() - offset * hour - (known?.at ?? NaN))
    return known && off <= (tolerances * hour * Math.min(offset, 24)) / 24
      ? { offset_hours: offset, price_usd: known.price_usd }
      : undefined
  }

  /** Which of the offsets are to be asked for. */
  missing(offsets: readonly number[]): number[] {
    return offsets.filter((offset) => {
      const waited = Date.now() - (this.#askedAt.get(offset) ?? -Infinity)
      return !this.find(offset) && !(Math.abs(waited) < askAgainAfter)
    })
  }

  /** Takes note that offsets are asked for; `-Infinity` as the time takes that back. */
  asked(offsets: readonly number[], at = Date.now()): void {
    for (const offset of offsets) this.#askedAt.set(offset, at)
  }
}
