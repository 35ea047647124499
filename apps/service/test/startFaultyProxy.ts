import { createServer, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { closeServer, listen } from './listen.ts'

interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}
/** Forwards a response of the service with a fault of a proxy. */
export type Fault = (original: ServiceResponse, response: ServerResponse) => void

/** Faults of proxies, and `none`. */
export const proxyFaults = {
  none({ status, headers, body }, response) {
    response.writeHead(status, endToEndHeaders(headers)).end(body)
  },
  /** Closes the connection after half of the body. */
  cut({ status, headers, body }, response) {
    response.writeHead(status, {
      ...endToEndHeaders(headers),
      'content-length': String(body.length),
    })
    response.write(body.slice(0, body.length / 2), () => response.destroy())
  },
  /** Stalls after the first byte of the body. */
  stuck({ status, headers, body }, response) {
    response.writeHead(status, endToEndHeaders(headers)).write(body.slice(0, 1))
  },
  /** The login page of a captive portal. */
  page(_, response) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome</h1>')
  },
  /** Converts `Retry-After` from seconds to a date. */
  dates({ status, headers, body }, response) {
    const seconds = headers.get('retry-after')
    const date = new Date()
    const until = new Date(date.getTime() + Number(seconds) * 1000)
    response
      .writeHead(status, {
        ...endToEndHeaders(headers),
        date: date.toUTCString(),
        ...(seconds !== null && { 'retry-after': until.toUTCString() }),
      })
      .end(body)
  },
} satisfies Record<string, Fault>

/** Starts a proxy of a service with a selectable fault. It stops when the test ends. */
export async function startFaultyProxy(target: string) {
  const proxy = {
    url: '',
    requests: 0,
    fault: proxyFaults.none as Fault,
  }
  const server = createServer((request, response) => {
    proxy.requests++
    const headers = request.headers as Record<string, string>
    void fetch(target + (request.url ?? ''), { headers }).then(async (original) => {
      const { status, headers } = original
      proxy.fault({ status, headers, body: await original.text() }, response)
    })
  })
  proxy.url = await listen(server)
  onTestFinished(() => closeServer(server))
  return proxy
}

/** The headers that remain valid for a decoded body. */
function endToEndHeaders(headers: Headers): Record<string, string> {
  const hopByHop = ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'date']
  return Object.fromEntries([...headers].filter(([name]) => !hopByHop.includes(name)))
}
