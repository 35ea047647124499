import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { corsHeaders, header } from './headers.ts'

const rejections: Readonly<
  Record<string, readonly [status: string, code: string, message: string]>
> = {
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
const malformed = [
  '400 Bad Request',
  'MALFORMED_REQUEST',
  'This is not a valid HTTP request',
] as const

/** Rejects what Node.js cannot parse as a request, with the body of all error responses: no middleware receives it. */
export function rejectUnparsable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A second response would be read as the rest of one that has begun.
    const { _httpMessage: response } = socket as { _httpMessage?: { headersSent: boolean } }
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
      socket.destroy()
      return
    }
    const [status, code, message] = rejections[error.code ?? ''] ?? malformed
    const request_id = randomUUID()
    const body = JSON.stringify({ error: message, message, code, request_id })
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      Connection: 'close',
      [header.requestId]: request_id,
      [header.cost]: '0',
      ...corsHeaders,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  })
}
