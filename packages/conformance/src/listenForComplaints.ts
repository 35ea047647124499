/** What was said on the console while somebody listened. */
export interface Complaints {
  /** Forgets what was heard so far. */
  readonly forget: () => void
  /** Listens no longer. */
  readonly stop: () => string[]
}

/** Keeps what is said on the console, where frameworks tell of what they can mend but nobody should do. */
export function listenForComplaints(): Complaints {
  const heard: string[] = []
  const { error, warn } = console
  console.error = console.warn = (...words: unknown[]) =>
    heard.push(words.map((word) => (word instanceof Error ? word.stack : String(word))).join(' '))
  return {
    forget: () => void heard.splice(0),
    stop() {
      Object.assign(console, { error, warn })
      return heard
    },
  }
}
