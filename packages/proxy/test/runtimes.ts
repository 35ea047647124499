import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { createTestProxy, type TestProxyOptions } from './createTestProxy.ts'

export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

/** The runtimes that the proxy is tested in, each with its own HTTP server. */
export const runtimes = {
  'Node.js': (options: TestProxyOptions) =>
    startServer(getRequestListener(createTestProxy(options)) as RequestListener),
  'Cloudflare Workers': startWorker,
}

export async function startServer(listener: RequestListener): Promise<RunningServer> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function startWorker(options: TestProxyOptions): Promise<RunningServer> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'worker.ts')],
    bundle: true,
    format: 'esm',
    conditions: ['@headwater/source'],
    write: false,
  })
  const miniflare = new Miniflare({
    modules: true,
    script: outputFiles[0]!.text,
    bindings: { ...options },
    compatibilityDate: '2026-07-01',
    port: 0,
  })
  const url = await miniflare.ready
  return { url: url.origin, close: () => miniflare.dispose() }
}
