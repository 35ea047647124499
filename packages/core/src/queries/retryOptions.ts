import { onlineManager } from '@tanstack/query-core'
import { type HeadwaterError, isHeadwaterError } from '../errors/HeadwaterError.ts'
import { getRetryAfter } from '../errors/retryPolicy.ts'
import type { OperationQueryOptions } from './WatchedQuery.ts'
import type { WatchOptions } from './WatchOptions.ts'

/**
 * The retries of a query. A server does not retry, as no timer may outlive its request. Neither does an offline client. It
 * still sends the first attempt (`networkMode: 'always'`): the service may be local, and a paused request reports nothing.
 */
export function createRetryOptions(
  ssr: boolean,
  { retry, retryDelay }: Pick<WatchOptions<unknown>, 'retry' | 'retryDelay'>,
): Pick<OperationQueryOptions<unknown>, 'retry' | 'retryDelay'> {
  return {
    retry: (failureCount, error) =>
      !ssr && onlineManager.isOnline() && shouldRetry(failureCount, error, retry),
    retryDelay: (failureCount, error) => getRetryDelay(failureCount, error, retryDelay),
  }
}

const maxRetries = 3
/** A longer delay than this is reported immediately instead of waiting for it. */
const maxRetryAfterMs = 5000

/** Retries errors that may resolve within seconds, up to a number of times. A function decides for any error. */
export function shouldRetry(
  failureCount: number,
  error: unknown,
  retry: WatchOptions<unknown>['retry'] = maxRetries,
): boolean {
  if (typeof retry === 'function') {
    return retry(failureCount, error as HeadwaterError)
  }
  return (
    failureCount < (retry === true ? Infinity : Number(retry)) &&
    isHeadwaterError(error) &&
    error.isRetryable &&
    getRetryAfter(error) <= maxRetryAfterMs
  )
}

/**
 * Milliseconds before a retry: the delay that the service requested, else exponential. Jittered, so that clients spread. A
 * delay of the app is used if it is longer than that of the service.
 */
export function getRetryDelay(
  failureCount: number,
  error: unknown,
  retryDelay?: WatchOptions<unknown>['retryDelay'],
): number {
  const retryAfter = getRetryAfter(error)
  if (retryDelay !== undefined) {
    const delay =
      typeof retryDelay === 'function'
        ? retryDelay(failureCount, error as HeadwaterError)
        : retryDelay
    return Math.max(delay, retryAfter)
  }
  if (retryAfter > 0) {
    return retryAfter + Math.random() * 1000
  }
  return 1000 * 2 ** failureCount * (0.5 + Math.random() / 2)
}
