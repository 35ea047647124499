/** A command is invalid or cannot be run. The message is for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
