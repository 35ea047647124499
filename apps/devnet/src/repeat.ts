/** Options of a repeated task. */
export interface RepeatOptions {
  /** Milliseconds until the next run, from the duration of the last one (0 before the first). */
  readonly pause: (took: number) => number
  /** Called with the error of a run and the number of consecutive failures. */
  readonly onError: (error: unknown, failures: number) => void
}

/**
 * Runs a task repeatedly, with a delay after each run.
 *
 * @returns a function that stops it; a run in progress completes
 */
export function repeat(
  task: () => Promise<unknown>,
  { pause, onError }: RepeatOptions,
): () => void {
  let ended = false
  let failures = 0
  let timer: NodeJS.Timeout
  const run = async () => {
    const started = performance.now()
    try {
      await task()
      failures = 0
    } catch (error) {
      onError(error, ++failures)
    }
    if (!ended) {
      next(performance.now() - started)
    }
  }
  const next = (took: number) => {
    timer = setTimeout(() => void run(), pause(took))
  }
  next(0)
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
