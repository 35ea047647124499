import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until a promise is settled, for a time at most.
 *
 * @returns what the promise resolves to; undefined after that time.
 * @throws {unknown} what the promise rejects with.
 */
export async function waitAtMost<Result>(
  promise: Promise<Result>,
  milliseconds: number,
): Promise<Result | undefined> {
  const ended = new AbortController()
  const timeout = delay(milliseconds, undefined, { signal: ended.signal }).catch(() => undefined)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    ended.abort()
  }
}
