import { ProxyError } from '../ProxyError.ts'
import type { RateLimit, RateLimitStore } from './RateLimit.ts'

/** Longer ones are untrusted headers. */
const maxIdLength = 256

/**
 * Counts a request of a visitor.
 *
 * @returns The headers that describe the limit.
 * @throws {ProxyError} 429 when it is exceeded; 503 when the store fails.
 */
export async function limitRate(
  { requests, seconds, visitor }: RateLimit,
  store: RateLimitStore,
  request: Request,
): Promise<Readonly<Record<string, string>>> {
  const id = ((await visitor(request)) ?? '').slice(0, maxIdLength)
  const { count, resetMs } = await increment(store, id, seconds * 1000)
  const reset = String(Math.max(1, Math.ceil(resetMs / 1000)))
  const headers = {
    'X-RateLimit-Limit': String(requests),
    'X-RateLimit-Remaining': String(Math.max(0, requests - count)),
    'X-RateLimit-Reset': reset,
  }
  if (count > requests) {
    throw new ProxyError(429, 'RATE_EXCEEDED', 'Too many requests', {
      headers: { ...headers, 'Retry-After': reset },
    })
  }
  return headers
}

async function increment(store: RateLimitStore, visitor: string, windowMs: number) {
  try {
    return await store.increment(visitor, windowMs)
  } catch (cause) {
    throw new ProxyError(503, 'RATE_LIMIT_UNAVAILABLE', 'The request cannot be counted now', {
      headers: { 'Retry-After': '5' },
      cause,
    })
  }
}
