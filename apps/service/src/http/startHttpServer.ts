import { once } from 'node:events'
import { createServer, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { formatReason } from '../formatReason.ts'
import { createKeyAccess } from '../keys/KeyAccess.ts'
import type { QueueLimits } from '../queues/FairQueue.ts'
import { createApp, createMonitoringApp } from './createApp.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { rejectInvalidUrl, rejectUnparsable, requireHost } from './rejectUnparsable.ts'
import type { Service } from './Service.ts'

/** Requests in flight have this long to settle when the server closes. */
const closeTimeoutMs = 5000
/** Connections without any traffic are closed after this time. */
const idleTimeoutMs = 60_000

/** Limits of receiving a request: headers of 16 KB and no body. */
const serverOptions: ServerOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2000,
  // `requireHost` responds with a body.
  requireHostHeader: false,
  // Longer than the keep-alive timeout of common reverse proxies, so that they close a connection first.
  keepAliveTimeout: 75_000,
}

/** The HTTP API cannot listen on its port. The message is for the operator. */
class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** A running HTTP API. */
export interface HttpServer {
  /** The base URL, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** The base URL of `/ready` and `/metrics`, if they have a port of their own. */
  readonly metricsUrl?: string
  /** Stops accepting requests; resolves once those in flight are settled and their units are written. */
  readonly close: () => Promise<void>
}

/**
 * Serves the API.
 *
 * @param options.port - 0 selects a free port.
 * @param options.readLimits - limits concurrent reads of the store.
 * @throws {ListenError} when the port is in use or not permitted.
 */
export async function startHttpServer(
  options: Service & {
    readonly port: number
    readonly host: string
    /** The address of `config.metricsPort`; default: `host`. */
    readonly metricsHost?: string | undefined
    readonly readLimits?: QueueLimits
  },
): Promise<HttpServer> {
  // V8 allocates objects in the old generation where earlier ones from the same code survived. One such object per request keeps
  // alive what it refers to, until the old generation is collected, so that collections copy what requests leave behind.
  setFlagsFromString('--no-allocation-site-pretenuring')
  const { port, host, metricsHost = host } = options
  const { metricsPort } = options.config
  const access = createKeyAccess(options.stores.main, options.logger)
  const { app, nodeChains, feed } = createApp(options, access, options.readLimits)
  const api = await listen(app, port, host, { port: '--port', host: '--host' })
  options.media.publicUrl.setListenUrl(api.url)
  const monitoring =
    metricsPort === undefined
      ? undefined
      : await listen(
          createMonitoringApp(options, access, { nodeChains, feed }),
          metricsPort,
          metricsHost,
          { port: 'METRICS_PORT', host: 'METRICS_HOST' },
        ).catch(async (error: unknown) => {
          await api.close()
          throw error
        })
  return {
    url: api.url,
    ...(monitoring && { metricsUrl: monitoring.url }),
    async close() {
      feed.closeAll()
      await Promise.all([api.close(), monitoring?.close()])
      await nodeChains.close()
      await access.meter.close()
    },
  }
}

interface ListenSettings {
  readonly port: string
  readonly host: string
}

interface Listener {
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * @param settings - what chooses another port, and another address.
 * @throws {ListenError}
 */
async function listen(
  { fetch }: Pick<Hono<HonoEnv>, 'fetch'>,
  port: number,
  host: string,
  settings: ListenSettings,
): Promise<Listener> {
  // For requests without a host. No response depends on it.
  const options = { hostname: 'localhost', errorHandler: rejectInvalidUrl }
  const respond = getRequestListener(fetch, options)
  const server = createServer(
    serverOptions,
    requireHost((request, response) => void respond(request, response)),
  )
  server.timeout = idleTimeoutMs
  rejectUnparsable(server)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ListenError(describeListenError(error, port, host, settings), { cause: error })
  }
  const address = server.address() as AddressInfo
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const name = isAnyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${address.port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs)
      await closed
      clearTimeout(timer)
    },
  }
}

function describeListenError(
  error: unknown,
  port: number,
  host: string,
  settings: ListenSettings,
): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${host} is in use; stop the process that uses it, or choose another with ${settings.port}`
  }
  if (code === 'EACCES') {
    return `This user is not permitted to use port ${port}; choose one above 1023 with ${settings.port}`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `${host} is not an address of this machine; choose one with ${settings.host}, such as 0.0.0.0 for all`
  }
  return `Cannot listen on ${host} port ${port}: ${formatReason(error)}`
}
