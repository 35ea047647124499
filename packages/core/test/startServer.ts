import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Responder = (request: IncomingMessage, response: ServerResponse) => void

/** A request that the server received. */
interface ServerRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** Monotonic time in milliseconds. */
  readonly at: number
  /** Settles with the exchange: whether the client closed the connection before it received the whole response. */
  readonly abandoned: Promise<boolean>
}

/** An HTTP server on a free port that records its requests. */
export async function startServer(respond: Responder) {
  const requests: ServerRequest[] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    const abandoned = new Promise<boolean>((resolve) => {
      response.on('close', () => resolve(!response.writableFinished))
    })
    requests.push({ url, headers, at: performance.now(), abandoned })
    current(request, response)
  })
  let current = respond
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    use(next: Responder) {
      current = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Responds with JSON, or with text as it is. */
export function respondWith(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Responder {
  return (_, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
}

/** Responds with each in turn; the last one serves all later requests. */
export function inSequence(...responders: [Responder, ...Responder[]]): Responder {
  let count = 0
  return (request, response) => {
    const respond = responders[Math.min(count++, responders.length - 1)] as Responder
    respond(request, response)
  }
}

/** Faults of services and proxies. `body` is the regular response. */
export const faults = {
  /** Announces the length, sends half of it and closes the connection. */
  truncatedBody: (body: unknown): Responder => {
    return (_, response) => {
      const text = JSON.stringify(body)
      response.writeHead(200, { 'content-length': String(text.length) })
      response.write(text.slice(0, text.length / 2), () => response.destroy())
    }
  },
  /** Announces no length, and closes the connection in the middle. */
  truncatedChunks: (body: unknown): Responder => {
    return (_, response) => {
      const text = JSON.stringify(body)
      response.writeHead(200)
      response.write(text.slice(0, text.length / 2), () => response.destroy())
    }
  },
  /** HTTP/1.0, where the end of the connection is the end of the body. */
  truncatedAtClose: (body: unknown): Responder => {
    return ({ socket }) => {
      const text = JSON.stringify(body)
      socket.end(`HTTP/1.0 200 OK\r\n\r\n${text.slice(0, text.length / 2)}`)
    }
  },
  /** Sends only the first byte of the body. */
  incompleteBody: (body: unknown): Responder => {
    return (_, response) => {
      response.writeHead(200).write(JSON.stringify(body).slice(0, 1))
    }
  },
  /** Never responds. */
  noResponse: (): Responder => () => undefined,
  /** Resets the connection. */
  reset: (): Responder => {
    return ({ socket }) => {
      socket.resetAndDestroy()
    }
  },
  /** Announces compression, but sends plain text. */
  invalidEncoding: (body: unknown): Responder =>
    respondWith(body, { headers: { 'content-encoding': 'gzip' } }),
}
