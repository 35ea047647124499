/** A message from the service to its parent process. */
type Message =
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'ready'; readonly url: string }

/** The parent process, if it opened an IPC channel (`stdio: 'ipc'`). */
export const supervisor = {
  get isConnected(): boolean {
    return process.send !== undefined
  },

  send(message: Message): void {
    // The channel may have closed; its `disconnect` event stops the service.
    process.send?.(message, undefined, undefined, () => {})
  },
}
