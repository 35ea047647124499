/** The API cannot listen where it was told to; the message is a sentence for whoever started the service. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}
