import type { Violation } from '../verify/Violation.ts'

/**
 * Why a request to a node failed, for logs and metrics:
 *
 * - `connection`: the node is unreachable.
 * - `timeout`: no response in time.
 * - `http`: an HTTP error status.
 * - `rate-limit`: the node limits our requests.
 * - `busy`: not sent, because our own limit for the node leaves no time for it.
 * - `too-large`: the response exceeds the size that is read.
 * - `rejected`: the node returned a JSON-RPC error.
 * - `reverted`: the node executed the call, and the contract failed it.
 * - `malformed`: the response cannot be parsed.
 * - `missing-block`: the node lacks a block that another one has.
 * - `mismatch`: responses contradict each other or the requested block.
 * - `other-chain`: the node serves another chain than the configured one.
 */
export type NodeErrorKind =
  | 'connection'
  | 'timeout'
  | 'http'
  | 'rate-limit'
  | 'busy'
  | 'too-large'
  | 'rejected'
  | 'reverted'
  | 'malformed'
  | 'missing-block'
  | 'mismatch'
  | 'other-chain'

interface NodeErrorOptions {
  readonly kind: NodeErrorKind
  readonly retryable?: boolean
  readonly mayExceedLimit?: boolean
  readonly code?: number | undefined
  readonly retryAfterMs?: number | undefined
  readonly violation?: Violation | undefined
}

/**
 * A request to a node failed. It has no `cause`: causes contain the node's URL, which often holds a secret, and errors are
 * logged.
 */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly kind: NodeErrorKind
  /** Whether the same request may succeed later: the node is unreachable or busy, rather than rejecting it. */
  readonly retryable: boolean
  /** Whether a smaller request may succeed: the node rejected it, timed out or returned too much. */
  readonly mayExceedLimit: boolean
  /** The JSON-RPC error code, where the node returned one. */
  readonly code: number | undefined
  /** Milliseconds after which the node accepts requests again, where it returned that. */
  readonly retryAfterMs: number | undefined
  /** How responses contradict a block, where they do. */
  readonly violation: Violation | undefined

  constructor(message: string, options: NodeErrorOptions) {
    super(message)
    this.kind = options.kind
    this.retryable = options.retryable ?? true
    this.mayExceedLimit = options.mayExceedLimit ?? false
    this.code = options.code
    this.retryAfterMs = options.retryAfterMs
    this.violation = options.violation
  }

  /** @returns a copy with a message that begins with `prefix`. */
  withPrefix(prefix: string): NodeError {
    return new NodeError(`${prefix}: ${this.message}`, this)
  }
}

/** @returns an error for responses that contradict a block, as those from before and after a reorg do. */
export function createMismatch(violation: Violation): NodeError {
  return new NodeError(`Inconsistent responses for block ${violation.block}: ${violation.detail}`, {
    kind: 'mismatch',
    violation,
  })
}
