import { isBaseError } from './BaseError.ts'

const fatalStatuses = new Set<unknown>([400, 401, 402, 403])

/** Whether the same request keeps failing until its key or parameters change. Polling stops on such an error. */
export function isFatal(error: unknown): boolean {
  if (!isBaseError(error)) {
    return false
  }
  return (
    error.name === 'InvalidParameterError' || ('status' in error && fatalStatuses.has(error.status))
  )
}

/** Longest delay that is respected. A broken proxy may request a year, after which no page is open. */
const maxRetryAfterMs = 30 * 60_000

/** The delay in milliseconds that the service requested, at most half an hour; 0 for none. Works across copies of the package. */
export function getRetryAfter(error: unknown): number {
  const retryAfter = isBaseError(error) && 'retryAfter' in error ? error.retryAfter : 0
  return typeof retryAfter === 'number' ? Math.min(retryAfter, maxRetryAfterMs) : 0
}

/**
 * Whether a failed request must not be sent again yet: after a fatal error, or before the service allows.
 *
 * @param error - The latest error; null for none.
 * @param failedAt - Local time of the error in milliseconds.
 * @param minDelayMs - Minimum delay after any error.
 */
export function isInBackoff(error: Error | null, failedAt: number, minDelayMs = 0): boolean {
  if (!error) {
    return false
  }
  const elapsed = Date.now() - failedAt
  // A negative elapsed time means that the clock was set back.
  return isFatal(error) || (elapsed >= 0 && elapsed < Math.max(minDelayMs, getRetryAfter(error)))
}
