import { waitAtMost } from '../waitAtMost.ts'

/** Below the time that load balancers and Prometheus wait for a response. */
const maxReadMs = 3_000

/**
 * Waits for a read of a store.
 *
 * @throws {Error} as for a store that is unavailable when it takes longer than three seconds; and any error of the read.
 */
export async function readInTime<Value>(reading: Promise<Value>): Promise<Value> {
  const values: { readonly value: Value }[] = []
  await waitAtMost(
    reading.then((value) => values.push({ value })),
    maxReadMs,
  )
  const [read] = values
  if (!read) {
    throw Object.assign(new Error('The database does not respond'), { code: 'ETIMEDOUT' })
  }
  return read.value
}
