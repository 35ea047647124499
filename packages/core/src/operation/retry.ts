import { isHeadwaterError } from '../errors/HeadwaterError.ts'
import { retryAfterOf } from '../errors/retryAfterOf.ts'

const mostRetries = 3
/** Whoever is asked to wait for longer, in milliseconds, learns that at once instead. */
const longestWait = 5000

/** Whether a query tries again: for what may pass soon by itself, and never when the service refused for good. */
export function retry(failureCount: number, error: unknown): boolean {
  return (
    failureCount < mostRetries &&
    isHeadwaterError(error) &&
    error.isRetryable &&
    retryAfterOf(error) <= longestWait
  )
}

/** How long it waits, in milliseconds: what the service asks, else doubling; jittered, so that clients spread. */
export function retryDelay(failureCount: number, error: unknown): number {
  const asked = retryAfterOf(error)
  if (asked > 0) return asked + Math.random() * 1000
  return 1000 * 2 ** failureCount * (0.5 + Math.random() / 2)
}
