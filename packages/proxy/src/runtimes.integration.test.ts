// The contract through the proxy, over HTTP and in each runtime, in front of the fake service.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildUrl, type OperationName, operations } from '@headwater/contract'
import { createParameters } from '@headwater/contract/schemas'
import { createClient, getBalances, HttpError } from '@headwater/core'
import { createFakeService, expectUnits } from '@headwater/testing'
import { listen } from '@headwater/testing/node'
import { basePath } from '../test/createTestProxy.ts'
import { type RunningServer, runtimes, startServer } from '../test/runtimes.ts'

const service = createFakeService()
const { address: wallet } = service.wallet('everyday')
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** Responds when the test does: holds responses back. */
const held: ServerResponse[] = []
/** The responses that the service which pauses has not ended. */
let paused = 0
let upstream: RunningServer
let heldUpstream: RunningServer
let pausingUpstream: RunningServer

beforeAll(async () => {
  upstream = await listen(service)
  heldUpstream = await startServer((_, response) => void held.push(response))
  // Pauses within the body of collectibles, and before the headers of all else.
  pausingUpstream = await startServer(({ url }, response) => {
    paused++
    response.once('close', () => paused--)
    if (url!.includes('/collectibles/')) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
    }
  })
})
afterEach(() => {
  service.reset()
  held.splice(0).forEach((response) => response.destroy())
})
afterAll(async () => {
  await upstream.close()
  await heldUpstream.close()
  await pausingUpstream.close()
})

describe.each(Object.entries(runtimes))('in %s', (name, start) => {
  let proxy: RunningServer
  let slowProxy: RunningServer
  let impatientProxy: RunningServer

  beforeAll(async () => {
    const apiKey = service.key
    proxy = await start({ baseUrl: upstream.url, apiKey })
    slowProxy = await start({ baseUrl: heldUpstream.url, apiKey })
    impatientProxy = await start({ baseUrl: pausingUpstream.url, apiKey, timeout: '100' })
  })
  afterAll(async () => {
    await proxy.close()
    await slowProxy.close()
    await impatientProxy.close()
  })

  const get = (path: string, headers: Record<string, string> = {}, { url } = proxy) =>
    fetch(`${url}${basePath}${path}`, { headers: { ...sameOrigin, ...headers } })
  const createProxyClient = () =>
    createClient({ baseUrl: proxy.url + basePath, headers: sameOrigin })

  it.each(Object.keys(operations) as OperationName[])('serves %s', async (operation) => {
    const { address: token } = service.token('USDC')
    const parameters = createParameters(operation, { wallet, token, chainId: 1 })
    const path = buildUrl(operations[operation], parameters)
    const response = await get(path)
    const direct = await fetch(upstream.url + path, {
      headers: { 'x-service-api-key': service.key },
    })
    expect(response.status).toBe(200)
    const text = await direct.text()
    expect(await response.text()).toBe(text.replaceAll(upstream.url, basePath))
    for (const header of ['etag', 'x-compute-units-cost', 'x-block-numbers', 'cache-control']) {
      expect(response.headers.get(header)).toBe(direct.headers.get(header))
    }
    const tag = { 'if-none-match': response.headers.get('etag')! }
    const unchanged = await get(path, tag)
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
    const preflight = await fetch(`${proxy.url}${basePath}${path}`, {
      method: 'OPTIONS',
      headers: sameOrigin,
    })
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  it('lets the client count units, and read errors', async () => {
    const client = createProxyClient()
    await getBalances(client, { address: wallet, chainIds: [1, 8453] })
    expectUnits(client).toCost(2)
    service.fail({ status: 503, code: 'CHAIN_NOT_READY', retryAfter: 4 })
    const error = await getBalances(client, { address: wallet }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(HttpError)
    const expected = { status: 503, code: 'CHAIN_NOT_READY', retryAfter: 4000, isRetryable: true }
    expect(error).toMatchObject(expected)
    client.destroy()
  })

  it('limits the rate per visitor', async () => {
    const path = `/v1/evm/balances/${wallet}?chain_ids=1`
    const statuses = []
    for (const session of ['a', 'a', 'a', 'b']) {
      const response = await get(path, { 'x-session': session })
      statuses.push([response.status, response.headers.get('retry-after')])
      await response.text()
    }
    expect(statuses).toEqual([
      [200, null],
      [200, null],
      [429, expect.stringMatching(/^[1-9]\d?$/)],
      [200, null],
    ])
  })

  it('responds to identical concurrent requests', async () => {
    service.fail({ kind: 'hold' })
    const path = `/v1/evm/balances/${wallet}?chain_ids=1`
    // In Workers, a request cannot wait for the I/O of another one.
    const isShared = name === 'Node.js'
    let received = 0
    const onReceived = (message: unknown) => {
      const { request: sent } = message as { request: IncomingMessage }
      received += sent.url?.startsWith(basePath) ? 1 : 0
    }
    subscribe('http.server.request.start', onReceived)
    const responses = Array.from({ length: 4 }, () => get(path))
    await expect.poll(() => (isShared ? received : 4)).toBe(4)
    unsubscribe('http.server.request.start', onReceived)
    await expect.poll(() => service.requests.length).toBe(isShared ? 1 : 4)
    service.heal()
    const texts = (await Promise.all(responses)).map((response) => response.text())
    expect(new Set(await Promise.all(texts)).size).toBe(1)
    expect(service.units).toBe(isShared ? 1 : 4)
  })

  it('responds with 504 to a service that does not', async () => {
    const response = await get(`/v1/evm/balances/${wallet}`, {}, impatientProxy)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
  })

  it('breaks off a body that pauses for too long', async () => {
    const headers = { 'accept-encoding': 'identity' }
    // On a busy machine, the headers may take longer than the timeout, too.
    const response = await vi.waitUntil(
      async () => {
        const response = await get(`/v1/evm/collectibles/${wallet}`, headers, impatientProxy)
        return response.status === 200 && response
      },
      { timeout: 30_000 },
    )
    const text = response.text().catch(() => 'broken off')
    // Miniflare ends it like a complete one.
    expect(await text).toBe(name === 'Node.js' ? 'broken off' : '{')
    await expect.poll(() => paused).toBe(0)
  })

  it('streams a body', async () => {
    // Compressed streams of Miniflare are sent at their end.
    const headers = { 'accept-encoding': 'identity' }
    const pending = get(`/v1/evm/balances/${wallet}`, headers, slowProxy)
    await expect.poll(() => held.length).toBe(1)
    const [response] = held
    response!.writeHead(200, { 'Content-Type': 'application/json' })
    response!.write('{"wallet_address":')
    const reader = (await pending).body!.getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toBe('{"wallet_address":')
    response!.end('"0x"}')
    expect(await read()).toBe('"0x"}')
    expect((await reader.read()).done).toBe(true)
  })

  it('encodes a body that the service has encoded', async () => {
    const text = JSON.stringify({ wallet_address: wallet, logo: `${heldUpstream.url}/beta/x` })
    const receive = async (acceptEncoding: string) => {
      const url = `${slowProxy.url}${basePath}/v1/evm/balances/${wallet}`
      const sent = request(url, { headers: { ...sameOrigin, 'accept-encoding': acceptEncoding } })
      sent.end()
      const received = once(sent, 'response') as Promise<[IncomingMessage]>
      await expect.poll(() => held.length).toBe(1)
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
      held.pop()!.writeHead(200, headers).end(gzipSync(text))
      const [response] = await received
      return { response, bytes: await buffer(response) }
    }
    const replaced = text.replace(heldUpstream.url, basePath)
    const encoded = await receive('gzip')
    expect(encoded.response.headers['content-encoding']).toBe('gzip')
    expect(encoded.response.headers.vary).toBe('Accept-Encoding')
    expect(gunzipSync(encoded.bytes).toString()).toBe(replaced)
    const plain = await receive('gzip;q=0, identity')
    expect(plain.response.headers['content-encoding']).toBeUndefined()
    expect(plain.bytes.toString()).toBe(replaced)
  })

  // The local server of Workers notices that a client has disconnected when it writes to it, Cloudflare immediately.
  it.each(name === 'Node.js' ? ['before', 'after'] : ['after'])(
    'aborts a request whose client disconnects %s the headers',
    async (when) => {
      const controller = new AbortController()
      const url = `${slowProxy.url}${basePath}/v1/evm/balances/${wallet}`
      const headers = { ...sameOrigin, 'accept-encoding': 'identity' }
      const pending = fetch(url, { headers, signal: controller.signal })
      const settled = pending.catch(() => undefined)
      await expect.poll(() => held.length).toBe(1)
      const [response] = held
      const closed = once(response!, 'close')
      if (when === 'after') {
        response!.writeHead(200, { 'Content-Type': 'application/json' })
        response!.write('{')
        await settled
      }
      controller.abort()
      const writing = setInterval(() => when === 'after' && response!.write(' '), 50)
      await Promise.all([closed, settled]).finally(() => clearInterval(writing))
      expect(response!.writableFinished).toBe(false)
    },
  )
})
