import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createApp } from './createApp.ts'
import { ListenError } from './ListenError.ts'
import type { Service } from './Service.ts'

/** How long a request that is being answered may hold up the end. */
const GRACE_MS = 5000

/** A running HTTP API. */
export interface HttpServer {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** Takes no more requests and ends once those that run are answered. */
  readonly close: () => Promise<void>
}

/**
 * Serves the API.
 *
 * @param options.port 0 takes any free one.
 * @throws {ListenError} when the port is taken or may not be used.
 */
export async function startHttpServer(
  options: Service & { readonly port: number; readonly host: string },
): Promise<HttpServer> {
  const { port, host } = options
  const app = createApp(options)
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ListenError(sentence(error, port, host), { cause: error })
  }
  const address = server.address() as AddressInfo
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${address.port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      const impatience = setTimeout(() => {
        if ('closeAllConnections' in server) server.closeAllConnections()
      }, GRACE_MS)
      await closed
      clearTimeout(impatience)
    },
  }
}

function sentence(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is taken; stop what listens there or choose another port`
  if (code === 'EACCES') return `Port ${port} may not be used by this user; choose one above 1023`
  return `Cannot listen on ${host} port ${port}: ${String(error)}`
}
