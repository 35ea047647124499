/** What a check came to: all is well, somebody should know, or it will not work. */
export interface CheckResult {
  readonly level: 'ok' | 'warning' | 'error'
  /** What was looked at, such as `chain 1`. */
  readonly subject: string
  /** A sentence; of what is not well it says what to do. */
  readonly message: string
}

/** Makes findings about one subject. */
export function resultsOf(subject: string) {
  return {
    ok: (message: string): CheckResult => ({ level: 'ok', subject, message }),
    warning: (message: string): CheckResult => ({ level: 'warning', subject, message }),
    error: (message: string): CheckResult => ({ level: 'error', subject, message }),
  }
}
