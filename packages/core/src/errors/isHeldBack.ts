import { retryAfterOf } from './retryAfterOf.ts'
import { stopsPolling } from './stopsPolling.ts'

/**
 * Whether it is too soon, or pointless, to ask again what failed: after a refusal, or sooner than the service allows.
 *
 * @param error - What went wrong; null for nothing.
 * @param failedAt - When, by the local clock in milliseconds.
 * @param wait - For how many milliseconds at least a failure is no reason to ask again.
 */
export function isHeldBack(error: Error | null, failedAt: number, wait = 0): boolean {
  if (!error) return false
  const waited = Date.now() - failedAt
  return stopsPolling(error) || (waited >= 0 && waited < Math.max(wait, retryAfterOf(error)))
}
