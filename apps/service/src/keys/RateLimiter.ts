import type { Rate } from './Rate.ts'

/** What a key's rate says to one request. Times in milliseconds from now. */
export interface RateLimitResult {
  readonly allowed: boolean
  /** Further requests that would be allowed now. */
  readonly remaining: number
  /** When the bucket is full again. */
  readonly resetMs: number
  /** When the next request will be allowed; 0 for one that is. */
  readonly retryAfterMs: number
}

/**
 * Limits how fast each key asks, in this process. A key has a bucket of as many requests as its rate allows within its
 * time, which fills evenly: a burst of all of them at once, then one each time that another has dripped in. A request
 * that is refused takes nothing, so that who asks too fast is still answered at its rate.
 *
 * A bucket is one number, the time at which it is full again (the generic cell rate algorithm), so that nothing has to
 * be counted down or tidied up.
 */
export class RateLimiter {
  readonly #fullAt = new Map<number, number>()

  /**
   * Takes one request out of a key's bucket, or tells when there will be one.
   *
   * @param now - milliseconds of any clock that only goes forwards.
   */
  take(keyId: number, { requests, seconds }: Rate, now = performance.now()): RateLimitResult {
    const wholeMs = seconds * 1000
    const eachMs = wholeMs / requests
    // A rate that was lowered must not count what was taken under a larger one for longer than its own time.
    const before = Math.min(Math.max(this.#fullAt.get(keyId) ?? now, now), now + wholeMs)
    const after = before + eachMs
    // Sums of fractions do not end exactly where they should.
    const tooMuchMs = after - now - wholeMs - eachMs / 1000
    const allowed = tooMuchMs <= 0
    this.#fullAt.set(keyId, allowed ? after : before)
    if (!allowed) {
      return { allowed, remaining: 0, resetMs: before - now, retryAfterMs: tooMuchMs }
    }
    const remaining = Math.floor((wholeMs - (after - now)) / eachMs + 0.001)
    return { allowed, remaining, resetMs: after - now, retryAfterMs: 0 }
  }
}
