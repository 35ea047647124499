/**
 * What went wrong with a node, for logs and metrics: it could not be reached, took too long, answered another HTTP
 * status than well, asked us to slow down, said too much, answered an error, answered what is no answer, or answers that
 * contradict each other; or it was not asked, because we already ask it as much as we may.
 */
export type NodeErrorKind =
  | 'connection'
  | 'timeout'
  | 'http'
  | 'rate-limit'
  | 'busy'
  | 'too-large'
  | 'refused'
  | 'malformed'
  | 'mismatch'

interface NodeErrorOptions {
  readonly kind: NodeErrorKind
  readonly retryable?: boolean
  readonly mayBeTooMuch?: boolean
  readonly code?: number
  readonly retryAfterMs?: number
}

/**
 * A node did not give what was asked. It carries no `cause`: causes tell the node's URL, which often holds a secret, and
 * errors are logged.
 */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly kind: NodeErrorKind
  /** Whether the same question may be answered later: the node is away or busy, rather than unwilling. */
  readonly retryable: boolean
  /** Whether less may be answered: the node refused, or took too long or said too much; it was not merely away. */
  readonly mayBeTooMuch: boolean
  /** The JSON-RPC error code, where the node answered one. */
  readonly code: number | undefined
  /** For how long the node asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: NodeErrorOptions) {
    super(message)
    this.kind = options.kind
    this.retryable = options.retryable ?? true
    this.mayBeTooMuch = options.mayBeTooMuch ?? false
    this.code = options.code
    this.retryAfterMs = options.retryAfterMs
  }

  /** The same, with what was asked. */
  about(subject: string): NodeError {
    const { kind, retryable, mayBeTooMuch, code, retryAfterMs } = this
    return new NodeError(`${subject}: ${this.message}`, {
      kind,
      retryable,
      mayBeTooMuch,
      ...(code !== undefined && { code }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })
  }
}
