export type MaybePromise<T> = T | PromiseLike<T>

/**
 * The rate limit of a visitor, in fixed windows of time.
 *
 * @example
 * import type { RateLimit } from '@headwater/proxy'
 * const rateLimit: RateLimit = {
 *   requests: 60,
 *   seconds: 60,
 *   // Of a platform that sets the header itself, so that visitors cannot choose it.
 *   visitor: ({ headers }) => headers.get('cf-connecting-ip'),
 * }
 */
export interface RateLimit {
  /** Requests that a visitor may send within a window. Images do not count. */
  readonly requests: number
  /** Length of a window. */
  readonly seconds: number
  /**
   * Identifies the visitor of a request: by a session, or by an address that the platform vouches for. `X-Forwarded-For` is
   * not used by default, as visitors can send any. Visitors without an identity share one limit.
   */
  readonly visitor: (request: Request) => MaybePromise<string | null | undefined>
  /** Counts the requests. Default: in the memory of the process, which suits a single one. */
  readonly store?: RateLimitStore | undefined
}

/**
 * Counts requests by visitor, for example in Redis, so that several processes share limits.
 *
 * @example
 * import type { RateLimitStore } from '@headwater/proxy'
 * declare const redis: { eval: (script: string, options: object) => Promise<[number, number]> }
 * const script = `
 *   local count = redis.call('INCR', KEYS[1])
 *   if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
 *   return { count, redis.call('PTTL', KEYS[1]) }`
 * const store: RateLimitStore = {
 *   async increment(visitor, windowMs) {
 *     const options = { keys: [`headwater:${visitor}`], arguments: [String(windowMs)] }
 *     const [count, resetMs] = await redis.eval(script, options)
 *     return { count, resetMs }
 *   },
 * }
 */
export interface RateLimitStore {
  /**
   * Counts a request in the visitor's window, which begins with its first request. A rejection is a 503: without counts, visitors
   * could spend all units of the key.
   *
   * @param visitor - Identity of the visitor. Untrusted text.
   * @param windowMs - Length of a window in milliseconds.
   * @returns The requests within the window, this one included, and the milliseconds until the window ends.
   */
  increment(
    visitor: string,
    windowMs: number,
  ): MaybePromise<{ readonly count: number; readonly resetMs: number }>
}
