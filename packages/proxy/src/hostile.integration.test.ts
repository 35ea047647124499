// Hostile requests as bytes on a socket, as `fetch` would correct many of them. Each has at least one defect.
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeService } from '@headwater/testing'
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

interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
}

/** Sends a request and reads the response to its end. */
async function send({ method, target, headers }: RawRequest): Promise<string> {
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1')
  const lines = [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close']
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => (text += String(chunk)))
  // A server that rejects a request may reset the connection.
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

const { address } = service.wallet('everyday')
const path = `/api/v1/evm/balances/${address}`
const token = service.token('USDC').address
const validPaths = [
  path,
  `/api/v1/evm/token-info/${token}?chain_ids=1`,
  `/api/v1/evm/balances/${address}/token/${token}?chain_ids=1`,
]
const validHeaders = () => [`Host: ${host}`, 'Sec-Fetch-Site: same-origin']

const text = fc.string({ unit: 'binary', maxLength: 30 })
const encoded = text.map((value) => encodeURIComponent(value))
const ascii = fc.string({
  unit: fc.constantFrom(...'abcxyz019%&=?#/\\.;:@,+-_~!$()*[]{}|^"<>`'),
  maxLength: 30,
})

const defectiveTargets = fc.oneof(
  // Traversal, encodings of slashes and dots, other prefixes, fragments.
  fc
    .tuple(
      fc.constantFrom(
        '..',
        '%2e%2e',
        '.%2E',
        '%252e%252e',
        '..%2f',
        '..%5c',
        '..;',
        '%00',
        '%c0%ae',
        '//',
      ),
      fc.nat({ max: 4 }),
      fc.constantFrom(
        '/metrics',
        '/openapi.json',
        '/ready',
        '/admin',
        '/v1/evm/token-holders/1/0x0',
      ),
    )
    .map(([part, count, end]) => `/api/v1/evm/balances/${`${part}/`.repeat(count)}..${end}`),
  fc
    .constantFrom('', '/api', '/API', '/api/v2', '/api//v1', '/api/%76', '//api/v1', '/v1')
    .map((prefix) => `${prefix}/evm/balances/${address}`),
  ascii.map((end) => `/api/v1/evm/balances/x${end}`),
  encoded.map((end) => `${path}%2f${end}`),
  encoded.map((wallet) => `/api/v1/evm/balances/${wallet}`),
  ascii.map((end) => `/api/v1/evm/token-holders/1/${token}?${end}`),
  // Parameters: invalid, repeated, malformed, beside unknown ones.
  fc
    .tuple(
      fc.constantFrom(
        'limit=0',
        'limit=-1',
        'limit=1.5',
        'limit=0x10',
        'limit=1&limit=1',
        'limit=1&%6cimit=2',
        'offset=a&offset=b',
        'chain_ids=',
        'chain_ids=1,,2',
        'chain_ids=-1',
        'chain_ids=1%0d%0aX-Service-Api-Key:%20a',
        'chain_ids[]=1&chain_ids=%5b1%5d',
        'filters=ERC20',
        'metadata=logo,script',
        'exclude_spam_tokens=yes',
        'historical_prices=1,2,3,4',
        'historical_prices=0',
      ),
      ascii.map((value) => value.replaceAll('#', '')),
      fc.boolean(),
    )
    .map(
      ([defect, extra, first]) =>
        `${path}?${first ? `${defect}&x=${extra}` : `x=${extra}&${defect}`}`,
    ),
  // Absolute-form URLs and other forms of targets.
  fc
    .constantFrom(
      'http://169.254.169.254',
      `http://${upstreamHost}`,
      'https://evil.example',
      'file://',
      'http://[::1]',
      '@evil.example',
      '*',
      '\\\\evil',
    )
    .map((start) => `${start}/v1/evm/balances/${address}`),
  // Huge URLs.
  fc.integer({ min: 8200, max: 20_000 }).map((length) => `${path}?x=${'a'.repeat(length)}`),
)

const hostile: fc.Arbitrary<RawRequest> = fc.oneof(
  defectiveTargets.map((target) => ({ method: 'GET', target, headers: validHeaders() })),
  // Methods.
  fc
    .tuple(
      fc.constantFrom(
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'TRACE',
        'CONNECT',
        'PROPFIND',
        'get',
        'GE\tT',
      ),
      fc.constantFrom(...validPaths),
    )
    .map(([method, target]) => ({ method, target, headers: validHeaders() })),
  // Origins.
  fc
    .tuple(
      fc.constantFrom(...validPaths),
      fc.constantFrom(
        [],
        ['Origin: https://evil.example'],
        ['Origin: null'],
        ['Referer: https://evil.example/'],
        ['Sec-Fetch-Site: cross-site'],
        ['Sec-Fetch-Site: same-site'],
        ['Sec-Fetch-Site: same-origin, cross-site'],
        ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
        ['X-Forwarded-Host: evil.example', 'Origin: https://evil.example'],
      ),
    )
    .map(([target, origin]) => ({ method: 'GET', target, headers: [`Host: ${host}`, ...origin] })),
  // Header injection, with defective targets, so that the text of the header is what matters.
  fc
    .tuple(
      defectiveTargets,
      text,
      fc.constantFrom(
        'X-Request-Id',
        'If-None-Match',
        'Cookie',
        'X-Service-Api-Key',
        'Content-Length',
        'Transfer-Encoding',
      ),
    )
    .map(([target, value, name]) => ({
      method: 'GET',
      target,
      headers: [...validHeaders(), `${name}: ${value}`],
    })),
)

it(
  `rejects ${hostileRequests} hostile requests without one to the service, and reveals nothing`,
  { timeout: 120_000 },
  async () => {
    const requests = fc.sample(hostile, { numRuns: hostileRequests, seed: 7 })
    const statuses = new Map<string, number>()
    const failures: object[] = []
    const next = requests.values()
    const work = async () => {
      for (const request of next) {
        const response = await send(request)
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
      const response = await send({
        method: 'GET',
        target: `${path}?limit=5&x=${noise.replaceAll('#', '').replaceAll('&', '')}`,
        headers: [...validHeaders(), ...lines.map(([name, value]) => `${name}: ${value}`)],
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
