/** The stack cannot start or had to stop; the message states the reason and a remedy. */
export class StartError extends Error {
  override name = 'StartError'
}
