/**
 * Indexing of a chain requires an operator's action, which the message describes. All other failures are retried.
 */
export class IndexingError extends Error {
  override readonly name = 'IndexingError'
}
