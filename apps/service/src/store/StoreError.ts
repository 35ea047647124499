/** The store cannot be opened; the message is a sentence for whoever started the service. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
