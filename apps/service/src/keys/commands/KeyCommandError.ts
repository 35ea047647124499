/** A command about keys cannot be done; the message is a sentence for whoever typed it. */
export class KeyCommandError extends Error {
  override readonly name = 'KeyCommandError'
}
