import { randomUUID } from 'node:crypto'
import { type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { RequestError } from '@hono/node-server'
import { corsHeaders, header } from './headers.ts'

interface Rejection {
  readonly status: number
  readonly code: string
  readonly message: string
}

const rejections: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'The URL and headers of the request are too long',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'REQUEST_TIMEOUT',
    message: 'The request did not arrive in time',
  },
}
const malformed = { status: 400, code: 'MALFORMED_REQUEST' }
const notHttp: Rejection = { ...malformed, message: 'This is not a valid HTTP request' }
const invalidUrl: Rejection = {
  ...malformed,
  message: 'The URL or the Host header of the request is not valid',
}
const unknownExpectation: Rejection = {
  status: 417,
  code: 'EXPECTATION_FAILED',
  message: 'The only expectation that the service supports is 100-continue',
}

/** Rejects what Node.js does not accept as a request, with the body of all error responses: no middleware receives it. */
export function rejectUnparsable(server: Server): void {
  server.on('checkExpectation', reject(unknownExpectation))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A second response would be read as the rest of one that has begun.
    const { _httpMessage: response } = socket as { _httpMessage?: { headersSent: boolean } }
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
      socket.destroy()
      return
    }
    const rejection = rejections[error.code ?? ''] ?? notHttp
    const { status } = rejection
    const { body, headers } = describe(rejection)
    const lines = Object.entries({ ...headers, Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  })
}

/** Passes on requests with a host, which HTTP/1.1 requires. Health checks of HTTP/1.0 have none. */
export function requireHost(listener: RequestListener): RequestListener {
  const rejectRequest = reject(invalidUrl)
  return (request, response) => {
    const isMissing = request.httpVersion === '1.1' && request.headers.host === undefined
    ;(isMissing ? rejectRequest : listener)(request, response)
  }
}

function reject(rejection: Rejection): RequestListener {
  return (_, response) => {
    const { body, headers } = describe(rejection)
    response.writeHead(rejection.status, { ...headers, Connection: 'close' }).end(body)
  }
}

/** Responds to a request of which the adapter of the server cannot create a `Request`, in the same way. */
export function rejectInvalidUrl(error: unknown): Response {
  if (!(error instanceof RequestError)) {
    // The app responds to its own errors.
    return new Response(null, { status: 500 })
  }
  const { body, headers } = describe(invalidUrl)
  return new Response(body, { status: invalidUrl.status, headers })
}

function describe({ code, message }: Rejection) {
  const request_id = randomUUID()
  const body = JSON.stringify({ error: message, message, code, request_id })
  return {
    body,
    headers: {
      'Content-Length': String(Buffer.byteLength(body)),
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      [header.requestId]: request_id,
      [header.cost]: '0',
      ...corsHeaders,
    },
  }
}
