import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** What a server was asked. */
interface ServerRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** When it came, in milliseconds of the clock that only goes forward. */
  readonly at: number
  /** Resolves when the exchange is over: whether the client went away before it had the whole answer. */
  readonly abandoned: Promise<boolean>
}

/** A real HTTP server on a free port that answers as it is told and remembers what it was asked. */
export async function startServer(answer: Answer) {
  const requests: ServerRequest[] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    const abandoned = new Promise<boolean>((resolve) => {
      response.on('close', () => resolve(!response.writableFinished))
    })
    requests.push({ url, headers, at: performance.now(), abandoned })
    current(request, response)
  })
  let current = answer
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    answerWith(next: Answer) {
      current = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An answer of JSON, or of text as it is. */
export function answering(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Answer {
  return (_, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
}

/** One answer after the other; the last for all that come later. */
export function inTurn(...answers: [Answer, ...Answer[]]): Answer {
  let count = 0
  return (request, response) => {
    const answer = answers[Math.min(count++, answers.length - 1)] as Answer
    answer(request, response)
  }
}

/** How services and what stands before them fail, each as an answer. `body` is what they would have answered. */
export const faults = {
  /** Says how much comes, sends half of it and closes the connection. */
  cutBody: (body: unknown): Answer => {
    return (_, response) => {
      const text = JSON.stringify(body)
      response.writeHead(200, { 'content-length': String(text.length) })
      response.write(text.slice(0, text.length / 2), () => response.destroy())
    }
  },
  /** Does not say how much comes, and closes the connection in the middle. */
  cutChunks: (body: unknown): Answer => {
    return (_, response) => {
      const text = JSON.stringify(body)
      response.writeHead(200)
      response.write(text.slice(0, text.length / 2), () => response.destroy())
    }
  },
  /** As an old proxy: the end of the connection is the end of the body, wherever that is. */
  cutWithoutNotice: (body: unknown): Answer => {
    return ({ socket }) => {
      const text = JSON.stringify(body)
      socket.end(`HTTP/1.0 200 OK\r\n\r\n${text.slice(0, text.length / 2)}`)
    }
  },
  /** Sends the first byte of the body and no more. */
  slowBody: (body: unknown): Answer => {
    return (_, response) => {
      response.writeHead(200).write(JSON.stringify(body).slice(0, 1))
    }
  },
  /** Never answers. */
  silence: (): Answer => () => undefined,
  /** Closes the connection without a word. */
  reset: (): Answer => {
    return ({ socket }) => {
      socket.resetAndDestroy()
    }
  },
  /** Says that the body is compressed, which it is not. */
  wrongEncoding: (body: unknown): Answer =>
    answering(body, { headers: { 'content-encoding': 'gzip' } }),
}
