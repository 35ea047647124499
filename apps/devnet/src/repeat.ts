/** How a task is repeated. */
export interface RepeatOptions {
  /** Milliseconds until the next run, from how long the last one took (0 before the first). */
  readonly pause: (took: number) => number
  /** Called with the error of a run, and how many in a row have failed by now. */
  readonly onError: (error: unknown, failures: number) => void
}

/**
 * Runs a task again and again, each time a pause after the run before has ended.
 *
 * @returns ends it; a run that is under way is not interrupted
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
