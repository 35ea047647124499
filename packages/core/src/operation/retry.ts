import { isHeadwaterError } from '../errors/HeadwaterError.ts'
import { retryAfterOf } from '../errors/retryAfterOf.ts'

const mostRetries = 3
/** A service that asks for longer gets it from the poller; a caller should not wait that long for an answer. */
const longestDelay = 30_000

/** Whether a query tries again: for what may pass by itself, and never when the service refused for good. */
export function retry(failureCount: number, error: unknown): boolean {
  return (
    failureCount < mostRetries &&
    isHeadwaterError(error) &&
    error.isRetryable &&
    retryAfterOf(error) <= longestDelay
  )
}

/** How long it waits, in milliseconds: what the service asks, else doubling; jittered, so that clients spread. */
export function retryDelay(failureCount: number, error: unknown): number {
  const asked = retryAfterOf(error)
  if (asked > 0) return asked + Math.random() * 1000
  return Math.min(1000 * 2 ** failureCount, longestDelay) * (0.5 + Math.random() / 2)
}
