/** The store cannot be opened. The message is meant for the operator. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
