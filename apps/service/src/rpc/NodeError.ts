/** A node did not give what was asked. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  /** Whether the same question may be answered later: the node is away or busy, rather than unwilling. */
  readonly retryable: boolean

  constructor(message: string, options: ErrorOptions & { readonly retryable: boolean }) {
    super(message, options)
    this.retryable = options.retryable
  }
}
