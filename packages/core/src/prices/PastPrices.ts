import type { HistoricalPrice } from '@headwater/contract'

const msPerHour = 3_600_000
/** A requested past price that the response did not contain is requested again after this time. */
const retryAfterMs = 60_000

/** The known past prices of one token: the latest per offset. */
export class PastPrices {
  readonly #known = new Map<number, { readonly price_usd: number | null; readonly at: number }>()
  readonly #requestedAt = new Map<number, number>()

  /**
   * Stores a past price of a response.
   *
   * @param sentAt - Local time in milliseconds at which the request was sent.
   */
  add({ offset_hours: offset, price_usd }: HistoricalPrice, sentAt: number): void {
    const at = sentAt - offset * msPerHour
    const knownAt = this.#known.get(offset)?.at ?? 0
    // A known price that is ahead of its offset is from another clock, or from before the clock was set back.
    if (!(at < knownAt) || knownAt > Date.now() - offset * msPerHour) {
      this.#known.set(offset, { price_usd, at })
    }
  }

  /**
   * Returns the price some hours before a time.
   *
   * @param tolerances - Accepted deviation of its time, in units of a 24th of the offset or one hour, whichever is less.
   * @param until - Local time in milliseconds that the hours are counted from; by default now.
   */
  find(offset: number, tolerances = 1, until = Date.now()): HistoricalPrice | undefined {
    const known = this.#known.get(offset)
    const deviation = Math.abs(until - offset * msPerHour - (known?.at ?? NaN))
    return known && deviation <= (tolerances * msPerHour * Math.min(offset, 24)) / 24
      ? { offset_hours: offset, price_usd: known.price_usd }
      : undefined
  }

  /** Returns the offsets that must be requested. */
  findMissing(offsets: readonly number[]): number[] {
    return offsets.filter((offset) => {
      const elapsed = Date.now() - (this.#requestedAt.get(offset) ?? -Infinity)
      return !this.find(offset) && !(Math.abs(elapsed) < retryAfterMs)
    })
  }

  markRequested(offsets: readonly number[], at = Date.now()): void {
    for (const offset of offsets) {
      this.#requestedAt.set(offset, at)
    }
  }

  /** Undoes {@link markRequested} for offsets that were not requested after all. */
  unmarkRequested(offsets: readonly number[]): void {
    this.markRequested(offsets, -Infinity)
  }
}
