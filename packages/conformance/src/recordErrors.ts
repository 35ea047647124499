/** Recorded errors and warnings. */
export interface ErrorRecorder {
  /** Discards the recorded errors. */
  readonly clear: () => void
  /** Restores the console and returns the recorded errors. */
  readonly stop: () => string[]
}

/**
 * Records errors and warnings on the console, where frameworks report incorrect use and hydration mismatches, and uncaught
 * errors of a page. In Node the test runner detects the latter.
 */
export function recordErrors(): ErrorRecorder {
  const errors: string[] = []
  const record = (...values: unknown[]) =>
    void errors.push(
      values.map((value) => (value instanceof Error ? value.stack : String(value))).join(' '),
    )
  const onError = ({ error }: ErrorEvent) => record(error)
  const onRejection = ({ reason }: PromiseRejectionEvent) => record(reason)
  const { error, warn } = console
  console.error = console.warn = record
  window.addEventListener('error', onError)
  window.addEventListener('unhandledrejection', onRejection)
  return {
    clear: () => void errors.splice(0),
    stop() {
      Object.assign(console, { error, warn })
      window.removeEventListener('error', onError)
      window.removeEventListener('unhandledrejection', onRejection)
      return errors
    },
  }
}
