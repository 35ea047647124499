import { once } from 'node:events'
import type { Server, ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createKeyAccess } from '../keys/KeyAccess.ts'
import { createApp } from './createApp.ts'
import type { Capacity } from './createLimiter.ts'
import { ListenError } from './ListenError.ts'
import { rejectUnparsable } from './rejectUnparsable.ts'
import type { Service } from './Service.ts'

/** How long a request that is being answered may hold up the end. */
const GRACE_MS = 5000
/** How long a connection may neither send nor take anything, be it that a client is slow or that an answer is. */
const SILENCE_MS = 60_000

/** What a request may take to arrive, whose headers fit 16 KB and which needs no body. */
const patience: ServerOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2000,
  // Longer than the proxies that usually stand before a service keep theirs, so that they end a connection first.
  keepAliveTimeout: 75_000,
}

/** A running HTTP API. */
export interface HttpServer {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** Takes no more requests and ends once those that run are answered and their units are written. */
  readonly close: () => Promise<void>
}

/**
 * Serves the API.
 *
 * @param options.port - 0 takes any free one.
 * @param options.capacity - how many answers read the store at once, and how many wait for that.
 * @throws {ListenError} when the port is taken or may not be used.
 */
export async function startHttpServer(
  options: Service & {
    readonly port: number
    readonly host: string
    readonly capacity?: Capacity
  },
): Promise<HttpServer> {
  const { port, host } = options
  const access = createKeyAccess(options.store.db, options.logger)
  const app = createApp(options, access, options.capacity)
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: patience,
  }) as Server
  server.timeout = SILENCE_MS
  rejectUnparsable(server)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ListenError(sentence(error, port, host), { cause: error })
  }
  const address = server.address() as AddressInfo
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const url = `http://${name}:${address.port}`
  options.media.publicUrl.setListenUrl(url)
  return {
    url,
    async close() {
      const closed = once(server, 'close')
      server.close()
      const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS)
      await closed
      clearTimeout(impatience)
      await access.meter.close()
    },
  }
}

function sentence(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${host} is taken; stop what listens there or choose another port`
  }
  if (code === 'EACCES') {
    return `Port ${port} may not be used by this user; choose one above 1023`
  }
  return `Cannot listen on ${host} port ${port}: ${String(error)}`
}
