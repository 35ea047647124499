import type { Rate } from './Rate.ts'

/** The rate limit of a key at one request. Times are in milliseconds from now. */
export interface RateLimitResult {
  readonly allowed: boolean
  /** Further requests that would be allowed now. */
  readonly remaining: number
  /** When the bucket is full. */
  readonly resetMs: number
  /** When the next request is allowed; 0 if this one is. */
  readonly retryAfterMs: number
}

/**
 * Limits the request rate of each key in this process by a token bucket that refills evenly: a burst of the whole rate,
 * then one request per refilled token. A rejected request consumes no token, so that a client that is too fast is still
 * served at its rate.
 *
 * The state of a bucket is one number, the time at which it is full (the generic cell rate algorithm), so that it needs
 * no timers and no cleanup.
 */
export class RateLimiter {
  readonly #fullAt = new Map<number, number>()

  /**
   * Takes one token out of the bucket of a key, or returns when the next one is available.
   *
   * @param now - milliseconds of a monotonic clock.
   */
  take(keyId: number, { requests, seconds }: Rate, now = performance.now()): RateLimitResult {
    const periodMs = seconds * 1000
    const intervalMs = periodMs / requests
    // After a rate was lowered, tokens taken at the higher rate count for at most the period of the new one.
    const fullAt = Math.min(Math.max(this.#fullAt.get(keyId) ?? now, now), now + periodMs)
    const nextFullAt = fullAt + intervalMs
    // Tolerates the rounding of sums of fractions.
    const excessMs = nextFullAt - now - periodMs - intervalMs / 1000
    const allowed = excessMs <= 0
    this.#fullAt.set(keyId, allowed ? nextFullAt : fullAt)
    if (!allowed) {
      return { allowed, remaining: 0, resetMs: fullAt - now, retryAfterMs: excessMs }
    }
    const remaining = Math.floor((periodMs - (nextFullAt - now)) / intervalMs + 0.001)
    return { allowed, remaining, resetMs: nextFullAt - now, retryAfterMs: 0 }
  }
}
