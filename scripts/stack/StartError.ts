/** Why the stack does not start or had to stop, in a sentence that says what to do. */
export class StartError extends Error {
  override name = 'StartError'
}
