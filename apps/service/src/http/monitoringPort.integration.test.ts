import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createTestMedia } from '../../test/createTestMedia.ts'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { ChainWatches } from '../store/ChainWatches.ts'
import { Stores } from '../store/Stores.ts'
import { Metrics } from './Metrics.ts'
import { startHttpServer } from './startHttpServer.ts'

const chains = [testChainConfig(7)]

async function start(metricsPort: number) {
  const logger = pino({ level: 'silent' })
  const stores = new Stores(await openSharedStore('pglite'))
  const watch = new ChainWatches(stores, logger)
  onTestFinished(() => watch.close())
  const server = await startHttpServer({
    config: { chains, defaultRate: { requests: 1000, seconds: 1 }, metricsPort },
    stores,
    watch,
    logger,
    media: createTestMedia(chains),
    nodes: new Map(),
    metrics: new Metrics({ process: false }),
    host: '127.0.0.1',
    port: 0,
  })
  onTestFinished(server.close)
  return server
}

it('serves readiness and metrics on a port of their own only', async () => {
  const { url, metricsUrl } = await start(0)
  const statuses = async (base: string | undefined) =>
    await Promise.all(
      ['/health', '/ready', '/metrics', '/openapi.json'].map(
        async (path) => (await fetch(base + path)).status,
      ),
    )
  expect(metricsUrl).not.toBe(url)
  // No chain is indexed.
  expect(await statuses(metricsUrl)).toEqual([200, 503, 200, 404])
  expect(await statuses(url)).toEqual([200, 404, 404, 200])
  const page = await (await fetch(url)).text()
  const links = [...page.matchAll(/href="(\w[^":]+)"/g)].map(([, path]) => path)
  expect(links).toEqual(['openapi.json', 'v1/evm/supported-chains'])
  expect((await fetch(`${metricsUrl}/metrics`, { method: 'POST' })).status).toBe(405)
})

it('responds to health checks of HTTP/1.0 without a host, on either port', async () => {
  const { url, metricsUrl = '' } = await start(0)
  const check = async (base: string, path: string) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`)
    return (await text(socket)).split('\r\n')[0]
  }
  expect(await check(url, '/health')).toBe('HTTP/1.1 200 OK')
  expect(await check(metricsUrl, '/health')).toBe('HTTP/1.1 200 OK')
  expect(await check(metricsUrl, '/ready')).toBe('HTTP/1.1 503 Service Unavailable')
  expect(await check(metricsUrl, '/metrics')).toBe('HTTP/1.1 200 OK')
})

it('listens on neither port when that of the metrics is in use', async () => {
  const { metricsUrl } = await start(0)
  const { port } = new URL(metricsUrl ?? '')
  await expect(start(Number(port))).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use; stop the process that uses it, or choose another with METRICS_PORT`,
  )
})
