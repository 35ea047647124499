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
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, milliseconds, undefined)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
