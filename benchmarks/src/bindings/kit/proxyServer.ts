// A proxy in its own process: ours, or one that passes any request on with the key and nothing else. Receives its kind and the
// URL of the service over IPC.
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createProxy } from '@headwater/proxy'

const apiKey = 'key'

const handlers = {
  'pass-through': (baseUrl: string) => async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const headers = { 'X-Service-Api-Key': apiKey }
    const { signal } = request
    const response = await fetch(baseUrl + pathname + search, { headers, signal })
    return new Response(response.body, {
      status: response.status,
      headers: { 'Content-Type': response.headers.get('content-type')! },
    })
  },
  // Its requests are identical.
  headwater: (baseUrl: string) =>
    createProxy({ baseUrl, apiKey, operations: ['balances'], origins: '*', coalesce: false }),
  'headwater coalescing': (baseUrl: string) =>
    createProxy({ baseUrl, apiKey, operations: ['balances'], origins: '*' }),
} satisfies Record<string, (baseUrl: string) => (request: Request) => Promise<Response>>

export type ProxyKind = keyof typeof handlers

process.once('message', ({ kind, baseUrl }: { kind: ProxyKind; baseUrl: string }) => {
  const server = createAdaptorServer({ fetch: handlers[kind](baseUrl) })
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
})
