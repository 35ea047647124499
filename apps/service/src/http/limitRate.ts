import type { Context } from 'hono'
import type { Key } from '../keys/Key.ts'
import type { RateLimiter } from '../keys/RateLimiter.ts'
import type { Rate } from '../keys/Rate.ts'
import { RefusalError } from '../operations/RefusalError.ts'
import type { Environment } from './Environment.ts'
import { header } from './headers.ts'

/**
 * Counts a request against its key's rate, and tells in the answer where that stands.
 *
 * @param defaultRate of keys that have none of their own.
 * @throws {RefusalError} 429 when the key asks too fast.
 */
export function limitRate(
  context: Context<Environment>,
  limiter: RateLimiter,
  key: Key,
  defaultRate: Rate,
): void {
  const rate = key.rate ?? defaultRate
  const { allowed, remaining, resetMs, retryAfterMs } = limiter.take(key.id, rate)
  context.header(header.rateLimit, String(rate.requests))
  context.header(header.rateRemaining, String(remaining))
  context.header(header.rateReset, String(Math.ceil(resetMs / 1000)))
  if (!allowed)
    throw new RefusalError(
      429,
      'RATE_EXCEEDED',
      `The API key may send ${rate.requests} requests in ${rate.seconds} seconds`,
      { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) },
    )
}
