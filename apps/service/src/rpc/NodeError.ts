/**
 * A node did not give what was asked. It carries no `cause`: viem's errors tell the node's URL, which often holds a
 * secret, and errors are logged.
 */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  /** Whether the same question may be answered later: the node is away or busy, rather than unwilling. */
  readonly retryable: boolean
  /** The JSON-RPC error code, where the node answered one. */
  readonly code: number | undefined

  constructor(message: string, options: { readonly retryable: boolean; readonly code?: number }) {
    super(message)
    this.retryable = options.retryable
    this.code = options.code
  }
}
