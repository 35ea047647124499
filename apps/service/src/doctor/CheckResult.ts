/** The result of a check. With an error the service does not work. */
export interface CheckResult {
  readonly level: 'ok' | 'warning' | 'error'
  /** The checked component, such as `chain 1`. */
  readonly subject: string
  /** The result, and the remedy of a warning or error. */
  readonly message: string
}

/** Creates results for a subject. */
export function createResults(subject: string) {
  return {
    ok: (message: string): CheckResult => ({ level: 'ok', subject, message }),
    warning: (message: string): CheckResult => ({ level: 'warning', subject, message }),
    error: (message: string): CheckResult => ({ level: 'error', subject, message }),
  }
}
