// The baseline of the responses: the same HTTP framework sends the same bodies from memory, without keys, limits or units.
// Runs in its own process, as the service does; receives the bodies by path over IPC.
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'

process.once('message', (bodies: Record<string, string>) => {
  const app = new Hono()
  const byPath = new Map(Object.entries(bodies))
  app.get('*', (context) => {
    const { pathname, search } = new URL(context.req.url)
    const body = byPath.get(pathname + search)
    if (body === undefined) {
      return context.notFound()
    }
    return context.body(body, 200, { 'content-type': 'application/json' })
  })
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
})
