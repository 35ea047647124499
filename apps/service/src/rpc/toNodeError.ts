import { BaseError, RpcRequestError } from 'viem'
import { NodeError } from './NodeError.ts'

/** JSON-RPC codes by which a node says "not now": resource unavailable, limit exceeded, too many requests. */
const busyCodes = new Set([-32002, -32005, 429])

/**
 * Tells the two kinds of failure apart. An answer that carries a JSON-RPC error is the node's own word, and repeating
 * the question brings the same; everything else (connection, timeout, HTTP status, broken body) is worth repeating.
 */
export function toNodeError(method: string, error: unknown): NodeError {
  const answered =
    error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (answered instanceof RpcRequestError) {
    const retryable = busyCodes.has(answered.code)
    return new NodeError(`${method}: ${answered.details}`, { retryable, cause: error })
  }
  const details = error instanceof BaseError ? error.details || error.shortMessage : String(error)
  return new NodeError(`${method}: ${details}`, { retryable: true, cause: error })
}
