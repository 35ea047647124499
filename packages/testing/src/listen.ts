import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServedInit } from './createFakeService.ts'
import type { FakeService } from './FakeService.ts'
import { NetworkFailure } from './http/deliver.ts'

/**
 * Options of {@link listen}.
 *
 * @example
 * import { createFakeService } from '@headwater/testing'
 * import { listen, type ListenOptions } from '@headwater/testing/node'
 * const options: ListenOptions = { port: 4000 }
 * const { url } = await listen(createFakeService(), options)
 */
export interface ListenOptions {
  /** Default: any free port. */
  readonly port?: number | undefined
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined
}

/**
 * An HTTP server of a fake service. Created by {@link listen}.
 *
 * @example
 * import type { FakeServer } from '@headwater/testing/node'
 * const stop = (server: FakeServer) => server.close()
 */
export interface FakeServer {
  /** Its address, such as `http://127.0.0.1:4000`: the `baseUrl` of a client. */
  readonly url: string
  /** Closes all connections and the server. */
  close(): Promise<void>
}

/**
 * Serves a fake service over HTTP, for tests that use a browser or another process.
 *
 * @param service - The service, including its faults, requests and units.
 * @param options - Port and host.
 * @returns The listening server.
 * @throws {Error} of `node:http` when it cannot listen, for example on a port in use.
 * @example
 * import { createClient } from '@headwater/core'
 * import { createFakeService } from '@headwater/testing'
 * import { listen } from '@headwater/testing/node'
 *
 * const service = createFakeService()
 * const { url, close } = await listen(service)
 * const client = createClient({ baseUrl: url, apiKey: service.key })
 * client.destroy()
 * await close()
 */
export async function listen(
  service: Pick<FakeService, 'fetch'>,
  { port = 0, host = '127.0.0.1' }: ListenOptions = {},
): Promise<FakeServer> {
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host ?? host}`
    void respond(service, base, request, response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(
  { fetch }: Pick<FakeService, 'fetch'>,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const controller = new AbortController()
  response.on('close', () => controller.abort())
  try {
    const init: ServedInit = {
      baseUrl: base,
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
      signal: controller.signal,
    }
    const reply = await fetch(new URL(request.url ?? '/', base), init)
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    for await (const chunk of reply.body ?? []) {
      response.write(chunk)
    }
    response.end()
  } catch (error) {
    if (controller.signal.aborted) {
      return
    }
    if (error instanceof NetworkFailure || response.headersSent) {
      response.destroy()
    } else {
      response.writeHead(500).end(String(error))
    }
  }
}
