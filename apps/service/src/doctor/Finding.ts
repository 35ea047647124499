/** What a check came to: all is well, somebody should know, or it will not work. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error'
  /** What was looked at, such as `chain 1`. */
  readonly subject: string
  /** A sentence; of what is not well it says what to do. */
  readonly message: string
}

/** Makes findings about one subject. */
export function findingsOf(subject: string) {
  return {
    ok: (message: string): Finding => ({ level: 'ok', subject, message }),
    warning: (message: string): Finding => ({ level: 'warning', subject, message }),
    error: (message: string): Finding => ({ level: 'error', subject, message }),
  }
}
