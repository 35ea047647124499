/** The rate limit of a key. */
export interface FakeRate {
  readonly requests: number
  readonly seconds: number
}

/** A token bucket: its capacity is the number of requests of the limit, and it refills evenly. */
export class RateLimiter {
  readonly #rate: FakeRate
  #left: number
  #at = Date.now()

  constructor(rate: FakeRate) {
    this.#rate = rate
    this.#left = rate.requests
  }

  /** Counts a request. `wait` is the number of seconds until it would be allowed; 0 when it is. */
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
