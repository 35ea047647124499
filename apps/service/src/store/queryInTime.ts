import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits for a query for a time at most, as a host that is unreachable or frozen never responds. The query itself continues.
 *
 * @throws {Error} as for an unavailable database when the time is over; and any error of the query.
 */
export async function queryInTime<Result>(
  query: Promise<Result>,
  milliseconds: number,
): Promise<Result> {
  const ended = new AbortController()
  const timeout = delay(milliseconds, undefined, { signal: ended.signal }).then(() => {
    throw createTimeoutError()
  })
  timeout.catch(() => {})
  try {
    return await Promise.race([query, timeout])
  } finally {
    ended.abort()
  }
}

/** An error as for an unavailable database. */
export function createTimeoutError(): Error {
  return Object.assign(new Error('The database does not respond'), { code: 'ETIMEDOUT' })
}
