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
    if (!(at < (this.#known.get(offset)?.at ?? 0))) {
      this.#known.set(offset, { price_usd, at })
    }
  }

  /**
   * Returns the price some hours ago.
   *
   * @param tolerances - Accepted deviation of its time, in units of a 24th of the offset or one hour, whichever is less.
   */
  find(offset: number, tolerances = 1): HistoricalPrice | undefined {
    const known = this.#known.get(offset)
    const deviation = Math.abs(Date.now() - offset * msPerHour - (known?.at ?? NaN))
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
