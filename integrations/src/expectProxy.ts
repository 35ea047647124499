import { expect, vi } from 'vitest'
import { sampleHostileRequests, sendRaw } from '../../packages/proxy/test/hostileRequests.ts'
import type { WalletService } from './walletService.ts'

const basePath = '/api/headwater'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const hostileRequests = 400

/** The default of a second is too short on a busy machine. */
const waitFor = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000 })

/** Expects of the proxy behind a framework's route what its own suite expects in Node.js and Workers. */
export async function expectProxy(
  origin: string,
  service: WalletService,
  diagnosticsUrl: string,
): Promise<void> {
  const { collector: wallet } = service
  const balances = `/v1/evm/balances/${wallet}?chain_ids=1&metadata=logo`
  const send = (path: string, init: RequestInit = {}) =>
    fetch(origin + basePath + path, {
      redirect: 'manual',
      ...init,
      headers: { ...sameOrigin, ...(init.headers as Record<string, string>) },
    })

  await expectResponses(send, balances, service)
  await expectRejections(send, balances, service)
  await expectErrors(send, balances, service)
  const received = async () => {
    const diagnostics = (await (await fetch(diagnosticsUrl)).json()) as { received: number }
    return diagnostics.received
  }
  await expectSharedRequest(send, balances, service, received)
  await expectAbort(send, balances, service)
  await expectNothingHostile(origin, service)
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

/** A permitted request receives body and headers of the service, conditionally, without a body, and images. */
async function expectResponses(send: Send, balances: string, { url, key }: WalletService) {
  const direct = await fetch(url + balances, { headers: { 'x-service-api-key': key } })
  const response = await send(balances)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe((await direct.text()).replaceAll(url, basePath))
  for (const header of ['etag', 'x-compute-units-cost', 'x-block-numbers', 'cache-control']) {
    expect(response.headers.get(header), header).toBe(direct.headers.get(header))
  }
  const tag = { 'if-none-match': response.headers.get('etag')! }
  const unchanged = await send(balances, { headers: tag })
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  const head = await send(balances, { method: 'HEAD' })
  expect([head.status, head.headers.get('x-compute-units-cost'), await head.text()]).toEqual([
    200,
    '1',
    '',
  ])
  const preflight = await send(balances, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  const logo = await send('/beta/token/logo/1')
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(logo.headers.get('content-security-policy')).toMatch(/sandbox/)
}

/** What the app does not permit does not reach the service. */
async function expectRejections(send: Send, balances: string, service: WalletService) {
  const path = `/v1/evm/balances/${service.collector}`
  const sent = service.requests.length
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  const cases: [string, RequestInit, number, string][] = [
    [`/v1/evm/collectibles/${service.collector}`, {}, 404, 'NOT_FOUND'],
    ['/v1/evm/supported-chains', {}, 404, 'NOT_FOUND'],
    [`${path}?limit=0`, {}, 400, 'INVALID_PARAMETER'],
    [`${path}?limit=1&limit=2`, {}, 400, 'REPEATED_PARAMETER'],
    [`${path}?chain_ids=%0d%0a`, {}, 400, 'INVALID_PARAMETER'],
    [`${path}?x=${'a'.repeat(8192)}`, {}, 414, 'URL_TOO_LONG'],
    [balances, { headers: crossSite }, 403, 'ORIGIN_NOT_ALLOWED'],
    [balances, { headers: { 'sec-fetch-site': '' } }, 403, 'ORIGIN_NOT_ALLOWED'],
  ]
  for (const [target, init, status, code] of cases) {
    const response = await send(target, init)
    expect([response.status, await response.json()], target.slice(0, 99)).toEqual([
      status,
      expect.objectContaining({ code }),
    ])
  }
  const deleted = await send(balances, { method: 'DELETE' })
  // SvelteKit rejects it before the route, as of another origin.
  expect([403, 405]).toContain(deleted.status)
  await deleted.text()
  expect(service.requests.length).toBe(sent)
}

/** Errors of the service become those of the contract, without its address and the key. */
async function expectErrors(send: Send, balances: string, service: WalletService) {
  const message = service.secrets.join()
  const cases = [
    [{ status: 503, message, code: 'CHAIN_NOT_READY', retryAfter: 4 }, 503, 'CHAIN_NOT_READY', '4'],
    [{ status: 401, message }, 502, 'UPSTREAM_KEY_REJECTED', '60'],
    [{ status: 402, message }, 402, 'UNITS_EXHAUSTED', null],
    [{ kind: 'network' }, 502, 'UPSTREAM_UNREACHABLE', null],
  ] as const
  for (const [fault, status, code, retryAfter] of cases) {
    const heal = service.fail(fault)
    const response = await send(balances)
    const text = await response.text()
    heal()
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter])
    expect(JSON.parse(text)).toMatchObject({ code })
    expect(service.secrets.filter((secret) => text.includes(secret))).toEqual([])
  }
}

/** Identical concurrent requests share one to the service. */
async function expectSharedRequest(
  send: Send,
  balances: string,
  service: WalletService,
  received: () => Promise<number>,
) {
  const sent = service.requests.length
  const before = await received()
  const release = service.fail({ kind: 'hold' })
  const responses = Array.from({ length: 4 }, () => send(balances))
  await waitFor(async () => expect(await received()).toBe(before + responses.length))
  await waitFor(() => expect(service.requests.length).toBeGreaterThan(sent))
  // A request that is not permitted passes the server after the others.
  await (await send('/')).text()
  release()
  const texts = await Promise.all(responses.map(async (each) => (await each).text()))
  expect(new Set(texts).size).toBe(1)
  expect(service.requests.length).toBe(sent + 1)
}

/** A request is aborted when its visitor disconnects. */
async function expectAbort(send: Send, balances: string, service: WalletService) {
  const aborted = service.abortedCount()
  const sent = service.requests.length
  const release = service.fail({ kind: 'hold' })
  const controller = new AbortController()
  const response = send(balances, { signal: controller.signal })
  await waitFor(() => expect(service.requests.length).toBe(sent + 1))
  controller.abort()
  await expect(response).rejects.toThrow()
  await waitFor(() => expect(service.abortedCount()).toBe(aborted + 1))
  release()
}

/** No hostile request reaches the service, and no response contains a secret. */
async function expectNothingHostile(origin: string, service: WalletService) {
  const { host } = new URL(origin)
  const { collector: wallet, secrets } = service
  const sent = service.requests.length
  const requests = sampleHostileRequests(hostileRequests, {
    host,
    basePath,
    paths: [`/v1/evm/balances/${wallet}`],
    wallet,
    token: service.token('USDC').address,
    upstreamHost: new URL(service.url).host,
  })
  const failures: object[] = []
  const next = requests.values()
  const work = async () => {
    for (const request of next) {
      const response = await sendRaw(host, request)
      // A page that does not exist may repeat the path of the request.
      const isRevealed = secrets.some(
        (secret) => response.includes(secret) && !request.target.includes(secret),
      )
      if (isRevealed) {
        failures.push({ ...request, response })
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  expect(failures).toEqual([])
  expect(service.requests.length).toBe(sent)
}
