/** How fast a key may ask. */
export interface FakeRate {
  readonly requests: number
  readonly seconds: number
}

/** A bucket that holds as many requests as a burst may have and fills evenly. */
export class RateLimiter {
  readonly #rate: FakeRate
  #left: number
  #at = Date.now()

  constructor(rate: FakeRate) {
    this.#rate = rate
    this.#left = rate.requests
  }

  /** Counts a request. `wait` is for how many seconds there is no room for it; 0 when there was. */
  take(): { readonly remaining: number; readonly reset: number; readonly wait: number } {
    const { requests, seconds } = this.#rate
    const now = Date.now()
    const filled = (Math.max(0, now - this.#at) / 1000) * (requests / seconds)
    this.#at = now
    this.#left = Math.min(requests, this.#left + filled)
    const fits = this.#left >= 1
    if (fits) {
      this.#left -= 1
    }
    return {
      remaining: Math.floor(this.#left),
      reset: Math.ceil((requests - this.#left) * (seconds / requests)),
      wait: fits ? 0 : Math.ceil((1 - this.#left) * (seconds / requests)),
    }
  }
}
