/**
 * A chain cannot be indexed any further until somebody changes something; the message says what. Every other failure
 * is waited out.
 */
export class IndexingError extends Error {
  override readonly name = 'IndexingError'
}
