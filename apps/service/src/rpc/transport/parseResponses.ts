import { isObject } from '../../isObject.ts'
import { NodeError, type NodeErrorKind } from './NodeError.ts'
import {
  isBatchLimit,
  isFailedExecution,
  isMissingBlock,
  isRateLimit,
  isRequestLimit,
} from './nodeMessages.ts'
import type { HttpResponse } from './postJson.ts'

/** A JSON-RPC request. */
export interface RpcRequest {
  readonly method: string
  readonly params: readonly unknown[]
  /**
   * The most bytes of a plausible result, where that is little. A larger result fails this request and not the others of
   * its batch. It is not sent.
   */
  readonly maxBytes?: number | undefined
  /** Parses the results of the requests of a batch that share it; by default they are JSON. It is not sent. */
  readonly parseBody?: BodyParser | undefined
}

/**
 * Parses the body of a successful response.
 *
 * @param requests - of the batch.
 * @param firstId - of the first one.
 * @returns the result of each request, or the body again, so that it is parsed as JSON.
 */
type BodyParser = (
  body: Buffer<ArrayBuffer>,
  requests: readonly RpcRequest[],
  firstId: number,
) => Promise<{ readonly results: readonly unknown[] } | { readonly body: Uint8Array<ArrayBuffer> }>

/** The response to one request: an unvalidated result, or an error. */
export type RpcResponse =
  { readonly result: unknown; readonly error?: undefined } | { readonly error: NodeError }

/**
 * The result of a response, which is not validated.
 *
 * @throws {NodeError} its error.
 */
export function getResult(response: RpcResponse | undefined): unknown {
  if (!response || response.error) {
    throw response?.error ?? new NodeError('no response', { kind: 'malformed' })
  }
  return response.result
}

/**
 * JSON-RPC error codes that concern the node and not the request: it is busy or limits us (-32002, -32005, 429), lacks the
 * block (-32001), or does not support the method (-32601, -32004). A retry, or another node, may succeed.
 */
const nodeErrorCodes = new Set([-32002, -32005, 429, -32001, -32601, -32004])
/** Of a reverted call. */
const reverted = 3
const tooManyRequests = 429
const limitExceeded = -32005
const contentTooLarge = 413

type Fields = Record<string, unknown>

/**
 * Parses the HTTP response to a batch.
 *
 * Most JSON-RPC errors are permanent; other failures (connection, timeout, HTTP status, invalid body) are retryable.
 *
 * @param requests - with consecutive ids.
 * @param firstId - of the first one.
 * @param redact - removes secrets from the node's messages.
 * @returns the responses in the order of the requests.
 * @throws {NodeError} when the batch as a whole failed.
 */
export function parseResponses(
  { status, body: bytes, retryAfterMs }: HttpResponse,
  requests: readonly RpcRequest[],
  firstId: number,
  redact: (text: string) => string,
): RpcResponse[] {
  if (status === tooManyRequests || status >= 500) {
    throw createStatusError(status, retryAfterMs)
  }
  const body = parseJson(bytes.toString())
  const responses = Array.isArray(body) ? (body as unknown[]) : [body]
  const [first] = responses
  // An error without an id rejects the whole batch. That of Geth for too large a batch has the id of the first request.
  const isOnly = responses.length === 1 && requests.length > 1
  if (
    isObject(first) &&
    isObject(first['error']) &&
    (typeof first['id'] !== 'number' || (isOnly && isBatchLimit(first['error']['message'])))
  ) {
    throw parseError(first['error'], undefined, redact)
  }
  if (status >= 300) {
    throw createStatusError(status, retryAfterMs)
  }
  const byId = new Map<number, Fields>()
  for (const response of responses) {
    if (!isObject(response) || typeof response['id'] !== 'number') {
      continue
    }
    if (byId.has(response['id'])) {
      throw new NodeError('two responses to one request', { kind: 'malformed' })
    }
    byId.set(response['id'], response)
  }
  return requests.map(({ method }, index) => {
    const response = byId.get(firstId + index)
    if (isObject(response?.['error'])) {
      return { error: parseError(response['error'], method, redact) }
    }
    if (response && 'result' in response) {
      return { result: response['result'] }
    }
    // Some nodes omit large results from a batch.
    return {
      error: new NodeError(
        `${method}: ${body === undefined ? 'the response is not JSON' : 'no response'}`,
        {
          kind: 'malformed',
          mayExceedLimit: requests.length > 1,
        },
      ),
    }
  })
}

function parseError(
  error: Fields,
  method: string | undefined,
  redact: (text: string) => string,
): NodeError {
  const code = typeof error['code'] === 'number' ? error['code'] : 0
  const isText = typeof error['message'] === 'string'
  const message = isText ? redact(error['message'] as string).slice(0, 500) : 'unknown error'
  const text = method === undefined ? message : `${method}: ${message}`
  // Nethermind has the code of rate limits for the size of a batch, too.
  const isOfBatch = method === undefined && isBatchLimit(message)
  const isLimited =
    !isOfBatch &&
    (code === tooManyRequests ||
      (code === limitExceeded ? !isRequestLimit(method ?? '', message) : isRateLimit(message)))
  const retryable = nodeErrorCodes.has(code) || isLimited
  const isFailedCall =
    code === reverted || (!nodeErrorCodes.has(code) && isFailedExecution(message))
  // Before anything else, as it may contain any text.
  if (method === 'eth_call' && isFailedCall) {
    return new NodeError(text, { kind: 'reverted', retryable: false, mayExceedLimit: true, code })
  }
  if (isMissingBlock(message)) {
    return new NodeError(text, { kind: 'missing-block', code })
  }
  const kind: NodeErrorKind = isLimited ? 'rate-limit' : 'rejected'
  return new NodeError(text, { kind, retryable, mayExceedLimit: true, code })
}

function createStatusError(status: number, retryAfterMs: number | undefined): NodeError {
  const remedy = status < 400 ? ', and redirects are not followed: correct its URL' : ''
  return new NodeError(`HTTP status ${status}${remedy}`, {
    kind: status === tooManyRequests ? 'rate-limit' : 'http',
    mayExceedLimit: status === contentTooLarge,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** @returns undefined for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
