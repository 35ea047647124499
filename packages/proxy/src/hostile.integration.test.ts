// Hostile requests as bytes on a socket, as `fetch` would correct many of them. Each has at least one defect.
import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeService } from '@headwater/testing'
import { ascii, sampleHostileRequests, sendRaw } from '../test/hostileRequests.ts'
import { type RunningServer, startServer } from '../test/runtimes.ts'
import { createProxy } from './createProxy.ts'

const hostileRequests = 10_000
/** Sockets that are open at once. */
const concurrency = 40

const service = createFakeService()
const key = 'hw_secret_5f3e9a'
const upstreamHost = 'headwater.internal:4000'
const sent: { readonly url: string; readonly headers: Record<string, string> }[] = []

let proxy: RunningServer
let host: string

beforeAll(async () => {
  const handler = createProxy({
    baseUrl: `http://${upstreamHost}`,
    apiKey: key,
    basePath: '/api',
    operations: ['balances', 'tokenInfo', 'tokenBalance'],
    // The message of the error that would be worst to leak.
    fetch: (input, init) => {
      sent.push({ url: String(input), headers: init?.headers as Record<string, string> })
      return Promise.reject(new TypeError(`${String(input)} ${JSON.stringify(init)}`))
    },
    onError: () => undefined,
  })
  proxy = await startServer(getRequestListener(handler) as RequestListener)
  host = new URL(proxy.url).host
})
afterAll(() => proxy.close())

const { address } = service.wallet('everyday')
const path = `/api/v1/evm/balances/${address}`
const token = service.token('USDC').address
const validPaths = [
  `/v1/evm/balances/${address}`,
  `/v1/evm/token-info/${token}?chain_ids=1`,
  `/v1/evm/balances/${address}/token/${token}?chain_ids=1`,
]

it(
  `rejects ${hostileRequests} hostile requests without one to the service, and reveals nothing`,
  { timeout: 120_000 },
  async () => {
    const requests = sampleHostileRequests(hostileRequests, {
      host,
      basePath: '/api',
      paths: validPaths,
      wallet: address,
      token,
      upstreamHost,
    })
    const statuses = new Map<string, number>()
    const failures: object[] = []
    const next = requests.values()
    const work = async () => {
      for (const request of next) {
        const response = await sendRaw(host, request)
        const status = response.slice(9, 12)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        // The parser of Node.js may close the connection without a response. A request that is forwarded responds with 502.
        if (!/^(4\d\d)?$/.test(status) || /hw_secret|headwater\.internal/.test(response)) {
          failures.push({ ...request, response })
        }
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    expect(failures).toEqual([])
    expect(sent).toEqual([])
    // The proxy itself rejected most of them, not the HTTP parser.
    for (const status of ['400', '403', '404', '405', '414']) {
      expect(statuses.get(status), status).toBeGreaterThan(100)
    }
  },
)

it('forwards nothing but validated parameters, whatever headers a permitted request has', async () => {
  const headers = fc.array(
    fc.tuple(
      fc.constantFrom(
        'X-Request-Id',
        'Cookie',
        'Authorization',
        'X-Service-Api-Key',
        'Accept',
        'Range',
        'X-Forwarded-For',
      ),
      fc.string({ maxLength: 40 }),
    ),
    { maxLength: 4 },
  )
  const canonical = `http://${upstreamHost}/v1/evm/balances/${address}?limit=5`
  await fc.assert(
    fc.asyncProperty(headers, ascii, async (lines, noise) => {
      sent.length = 0
      const response = await sendRaw(host, {
        method: 'GET',
        target: `${path}?limit=5&x=${noise.replaceAll('#', '').replaceAll('&', '')}`,
        headers: [
          `Host: ${host}`,
          'Sec-Fetch-Site: same-origin',
          ...lines.map(([name, value]) => `${name}: ${value}`),
        ],
      })
      expect(response).toMatch(/^HTTP\/1\.1 502 /)
      expect(response).not.toMatch(/hw_secret|headwater\.internal/)
      expect(sent.map(({ url }) => url)).toEqual([canonical])
      const { 'X-Request-Id': id, ...rest } = sent[0]!.headers
      expect(id).toMatch(/^[\w\-=]{1,255}$/)
      expect(rest).toEqual({ Accept: 'application/json', 'X-Service-Api-Key': key })
    }),
    { numRuns: 200 },
  )
})
