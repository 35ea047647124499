/** What was said on the console while somebody listened. */
export interface Complaints {
  /** Forgets what was heard so far. */
  readonly forget: () => void
  /** Listens no longer. */
  readonly stop: () => string[]
}

/**
 * Keeps what is said on the console, where frameworks tell of what they can mend but nobody should do, and what nobody
 * catches in a page. In Node the test runner sees that.
 */
export function listenForComplaints(): Complaints {
  const heard: string[] = []
  const hear = (...words: unknown[]) =>
    void heard.push(
      words.map((word) => (word instanceof Error ? word.stack : String(word))).join(' '),
    )
  const hearError = ({ error }: ErrorEvent) => hear(error)
  const hearRejection = ({ reason }: PromiseRejectionEvent) => hear(reason)
  const { error, warn } = console
  console.error = console.warn = hear
  window.addEventListener('error', hearError)
  window.addEventListener('unhandledrejection', hearRejection)
  return {
    forget: () => void heard.splice(0),
    stop() {
      Object.assign(console, { error, warn })
      window.removeEventListener('error', hearError)
      window.removeEventListener('unhandledrejection', hearRejection)
      return heard
    },
  }
}
