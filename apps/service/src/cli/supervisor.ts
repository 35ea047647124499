/** What the service tells the program that started it, where that opened a channel. */
type Message =
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'ready'; readonly url: string }

/** The program that started this one, where it opened an IPC channel (`stdio: 'ipc'`). */
export const supervisor = {
  /** Whether there is one. */
  get isThere(): boolean {
    return process.send !== undefined
  },

  tell(message: Message): void {
    // Gone in the meantime: its `disconnect` stops us.
    process.send?.(message, undefined, undefined, () => {})
  },
}
