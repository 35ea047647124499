/**
 * Shares a reading among all who want it at about the same time: it begins at most so often, and never while it runs.
 *
 * @returns what is told then may be that much older than the question. A failure is shared alike.
 */
export function memoizeAsync<Value>(
  read: () => Promise<Value>,
  maximumAgeMs = 1_000,
): () => Promise<Value> {
  let reading: Promise<Value> | undefined
  let isRunning = false
  let begunAt = 0
  return () => {
    const now = performance.now()
    if (reading && (isRunning || now - begunAt < maximumAgeMs)) {
      return reading
    }
    begunAt = now
    isRunning = true
    reading = read().finally(() => {
      isRunning = false
    })
    return reading
  }
}
