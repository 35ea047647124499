/**
 * Shares the promise of an asynchronous read among its callers: it starts at most once per `maximumAgeMs`, and never while it
 * runs.
 *
 * @returns a function with a result that may be that much older than its call. A failure is shared as well.
 */
export function memoizeAsync<Value>(
  read: () => Promise<Value>,
  maximumAgeMs = 1_000,
): () => Promise<Value> {
  let promise: Promise<Value> | undefined
  let isRunning = false
  let startedAt = 0
  return () => {
    const now = performance.now()
    if (promise && (isRunning || now - startedAt < maximumAgeMs)) {
      return promise
    }
    startedAt = now
    isRunning = true
    promise = read().finally(() => {
      isRunning = false
    })
    return promise
  }
}
