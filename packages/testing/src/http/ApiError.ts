import type { InvalidRequestError } from '@headwater/contract/schemas'
import type { FaultOf } from '../faults/Fault.ts'
import { corsHeaders, header } from './headers.ts'
import type { Reply } from './Reply.ts'

/** The error that the service responds with. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** For programs, such as `INVALID_PARAMETER`. */
  readonly code: string
  /** Wire name of the invalid parameter. */
  readonly param: string | undefined
  /** Headers in addition to those of every response. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    { param, headers = {} }: { param?: string; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
    this.headers = headers
  }
}

/** Error code and message of the service by status. */
const statuses: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['INVALID_PARAMETER', 'A parameter is malformed'],
  401: ['API_KEY_INVALID', 'The API key is unknown, revoked or expired'],
  402: ['UNITS_EXHAUSTED', 'The request costs more compute units than the API key has left'],
  403: ['API_KEY_PURPOSE', 'The API key was issued for another purpose'],
  404: ['NOT_FOUND', 'There is no such path'],
  429: ['RATE_EXCEEDED', 'The API key sends too many requests'],
  500: ['INTERNAL_ERROR', 'Internal error; report the request id to the operator'],
  503: ['STORE_UNAVAILABLE', 'The service cannot read its data now'],
}

/** Code and message of a status. */
export function describeStatus(status: number): readonly [code: string, message: string] {
  return statuses[status] ?? [`STATUS_${status}`, `The service responded with status ${status}`]
}

/** The response of the service to a request with an error. */
export function toErrorReply(
  error: ApiError | InvalidRequestError,
  headers: Readonly<Record<string, string>>,
): Reply {
  const { status, code, message, param } = error
  const request_id = headers[header.requestId]
  return {
    status,
    headers: {
      ...headers,
      ...('headers' in error && error.headers),
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ error: message, message, code, ...(param && { param }), request_id }),
  }
}

/** The reply that a fault causes instead of a response. */
export function toFaultReply(
  fault: FaultOf<'status' | 'html' | 'network'>,
  headers: Readonly<Record<string, string>>,
): Reply {
  if (fault.kind === 'network') {
    return { status: 0, headers: {}, failure: 'network' }
  }
  if (fault.kind === 'html') {
    const { status = 502 } = fault
    const body = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>'
    return { status, headers: { ...corsHeaders, 'Content-Type': 'text/html' }, body }
  }
  const { status, retryAfter, body } = fault
  const [code, message] = describeStatus(status)
  const after = retryAfter instanceof Date ? retryAfter.toUTCString() : retryAfter
  const reply = toErrorReply(
    new ApiError(status, fault.code ?? code, fault.message ?? message, {
      headers: after === undefined ? {} : { [header.retryAfter]: String(after) },
    }),
    headers,
  )
  if (body === undefined) {
    return reply
  }
  if (typeof body !== 'string') {
    return { ...reply, body: JSON.stringify(body) }
  }
  return { ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' }, body }
}
