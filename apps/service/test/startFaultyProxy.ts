import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}
/** Takes an answer of the service and does with it what proxies do. */
export type Fault = (answer: Answer, response: ServerResponse) => void

/** The faults of proxies, and `none`. */
export const proxyFaults = {
  none({ status, headers, body }, response) {
    response.writeHead(status, passed(headers)).end(body)
  },
  /** Half of the body, and the end of the connection. */
  cut({ status, headers, body }, response) {
    response.writeHead(status, { ...passed(headers), 'content-length': String(body.length) })
    response.write(body.slice(0, body.length / 2), () => response.destroy())
  },
  /** The first byte of the body, and never more. */
  stuck({ status, headers, body }, response) {
    response.writeHead(status, passed(headers)).write(body.slice(0, 1))
  },
  /** A page to sign in, as of a hotel. */
  page(_, response) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome</h1>')
  },
  /** `Retry-After` as a date rather than as seconds. */
  dates({ status, headers, body }, response) {
    const seconds = headers.get('retry-after')
    const date = new Date()
    const until = new Date(date.getTime() + Number(seconds) * 1000)
    response
      .writeHead(status, {
        ...passed(headers),
        date: date.toUTCString(),
        ...(seconds !== null && { 'retry-after': until.toUTCString() }),
      })
      .end(body)
  },
} satisfies Record<string, Fault>

/** Starts a proxy before a service whose faults can be chosen. It ends with the test. */
export async function startFaultyProxy(target: string) {
  const proxy = {
    url: '',
    requests: 0,
    fault: proxyFaults.none as Fault,
  }
  const server = createServer((request, response) => {
    proxy.requests++
    const headers = request.headers as Record<string, string>
    void fetch(target + (request.url ?? ''), { headers }).then(async (answer) => {
      const { status, headers } = answer
      proxy.fault({ status, headers, body: await answer.text() }, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return proxy
}

/** What stays true of a body that was read. */
function passed(headers: Headers): Record<string, string> {
  const ours = ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'date']
  return Object.fromEntries([...headers].filter(([name]) => !ours.includes(name)))
}
