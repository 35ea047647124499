/**
 * Calls back again and again.
 *
 * @returns a function that ends it.
 */
export function watchByPolling(onChange: () => void, pollMs: number): () => Promise<void> {
  const timer = setInterval(onChange, pollMs)
  return async () => clearInterval(timer)
}
