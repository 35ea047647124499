/** A command cannot do what it was told; the message is a sentence for whoever typed it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
