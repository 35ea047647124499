import {
  BaseError,
  HttpRequestError,
  ResponseBodyTooLargeError,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import { NodeError } from './NodeError.ts'

/**
 * JSON-RPC codes by which a node speaks of itself and not of the question: it is busy or limits us (-32002, -32005,
 * 429), has not this block (-32001), or does not know the method (-32601, -32004). Later, or elsewhere, it may be well.
 */
const nodeCodes = new Set([-32002, -32005, 429, -32001, -32601, -32004])

/**
 * Tells the two kinds of failure apart. A JSON-RPC error mostly means that repeating the question brings the same;
 * everything else (connection, timeout, HTTP status, broken body) is worth repeating.
 */
export function toNodeError(method: string, error: unknown): NodeError {
  const answered =
    error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (answered instanceof RpcRequestError) {
    const { code, details } = answered
    const retryable = nodeCodes.has(code)
    return new NodeError(`${method}: ${details}`, { retryable, mayBeTooMuch: true, code })
  }
  // viem's `message` and `shortMessage` may tell the URL; its `details` do not.
  const details = error instanceof BaseError ? error.details || error.name : 'failed'
  return new NodeError(`${method}: ${details}`, { retryable: true, mayBeTooMuch: isTooMuch(error) })
}

const contentTooLarge = 413

function isTooMuch(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return Boolean(
    error.walk(
      (cause) =>
        cause instanceof TimeoutError ||
        cause instanceof ResponseBodyTooLargeError ||
        (cause instanceof HttpRequestError && cause.status === contentTooLarge),
    ),
  )
}
