interface NodeErrorOptions {
  readonly retryable: boolean
  readonly mayBeTooMuch?: boolean
  readonly code?: number
}

/**
 * A node did not give what was asked. It carries no `cause`: viem's errors tell the node's URL, which often holds a
 * secret, and errors are logged.
 */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  /** Whether the same question may be answered later: the node is away or busy, rather than unwilling. */
  readonly retryable: boolean
  /** Whether less may be answered: the node refused, or took too long or said too much; it was not merely away. */
  readonly mayBeTooMuch: boolean
  /** The JSON-RPC error code, where the node answered one. */
  readonly code: number | undefined

  constructor(message: string, options: NodeErrorOptions) {
    super(message)
    this.retryable = options.retryable
    this.mayBeTooMuch = options.mayBeTooMuch ?? false
    this.code = options.code
  }
}
