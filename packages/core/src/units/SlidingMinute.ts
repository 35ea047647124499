const minute = 60_000

/** What was spent in the last 60 seconds. Kept by the second, so that it stays small. */
export class SlidingMinute {
  readonly #seconds: { at: number; units: number }[] = []

  /** Takes note of units that were spent now. */
  add(units: number): void {
    const now = Date.now()
    const newest = this.#seconds.at(-1)
    if (newest && Math.floor(newest.at / 1000) === Math.floor(now / 1000)) {
      newest.at = Math.max(newest.at, now)
      newest.units += units
    } else this.#seconds.push({ at: now, units })
  }

  /**
   * In how many milliseconds no more than so many units will have been spent within a minute; 0 for now, `Infinity` for
   * never, which only less than none can be.
   */
  waitUntil(most: number): number {
    const now = Date.now()
    let sum = 0
    for (const second of this.#seconds) {
      // Else what was spent before the clock was set back would count for as long.
      second.at = Math.min(second.at, now)
      if (second.at + minute > now) sum += second.units
    }
    while (this.#seconds[0] && this.#seconds[0].at + minute <= now) this.#seconds.shift()
    if (sum <= most) return 0
    for (const { at, units } of this.#seconds) {
      sum -= units
      if (sum <= most) return at + minute - now
    }
    return Infinity
  }
}
