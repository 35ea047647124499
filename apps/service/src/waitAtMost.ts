import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until a promise is settled, for a time at most.
 *
 * @throws {unknown} what the promise rejects with.
 */
export async function waitAtMost(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const ended = new AbortController()
  const timeout = delay(milliseconds, undefined, { signal: ended.signal }).catch(() => {})
  try {
    await Promise.race([promise, timeout])
  } finally {
    ended.abort()
  }
}
