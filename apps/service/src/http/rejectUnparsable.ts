import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { header } from './headers.ts'
import { everyOrigin } from './middleware/corsHeaders.ts'

const refusals: Readonly<Record<string, readonly [status: string, code: string, message: string]>> =
  {
    HPE_HEADER_OVERFLOW: [
      '431 Request Header Fields Too Large',
      'HEADERS_TOO_LARGE',
      'The URL and headers of the request are too long',
    ],
    ERR_HTTP_REQUEST_TIMEOUT: [
      '408 Request Timeout',
      'REQUEST_TIMEOUT',
      'The request did not arrive in time',
    ],
  }
const malformed = ['400 Bad Request', 'MALFORMED_REQUEST', 'This is no HTTP request'] as const

/** Refuses what never becomes a request, which no handler sees, in the form of all refusals. */
export function rejectUnparsable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Within an answer that has begun, a second one would be taken for its rest.
    const { _httpMessage: begun } = socket as { _httpMessage?: { headersSent: boolean } }
    if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent) {
      socket.destroy()
      return
    }
    const [status, code, message] = refusals[error.code ?? ''] ?? malformed
    const request_id = randomUUID()
    const body = JSON.stringify({ error: message, message, code, request_id })
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      Connection: 'close',
      [header.requestId]: request_id,
      [header.cost]: '0',
      ...everyOrigin,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  })
}
