import type { Context } from 'hono'
import type { Key } from '../../keys/Key.ts'
import type { Rate } from '../../keys/Rate.ts'
import type { RateLimiter, RateLimitResult } from '../../keys/RateLimiter.ts'
import { ApiError } from '../../operations/ApiError.ts'
import type { Environment } from '../Environment.ts'
import { header } from '../headers.ts'
import { setHeaders } from './setHeaders.ts'

/**
 * Counts a request against its key's rate, and tells in the answer where that stands.
 *
 * @param defaultRate - of keys that have none of their own.
 * @throws {ApiError} 429 when the key asks too fast.
 */
export function rateLimit(
  context: Context<Environment>,
  limiter: RateLimiter,
  key: Key,
  defaultRate: Rate,
): void {
  const rate = key.rate ?? defaultRate
  const taken = limiter.take(key.id, rate)
  setHeaders(context, rateHeaders(rate, taken))
  if (!taken.allowed) {
    throw new ApiError(
      429,
      'RATE_EXCEEDED',
      `The API key may send ${rate.requests} requests in ${rate.seconds} seconds`,
      { retryAfterSeconds: Math.ceil(taken.retryAfterMs / 1000) },
    )
  }
}

/** Tells where a key's rate stands. */
export function rateHeaders(
  rate: Rate,
  { remaining, resetMs }: Pick<RateLimitResult, 'remaining' | 'resetMs'>,
): Record<string, string> {
  return {
    [header.rateLimit]: String(rate.requests),
    [header.rateRemaining]: String(remaining),
    [header.rateReset]: String(Math.ceil(resetMs / 1000)),
  }
}
