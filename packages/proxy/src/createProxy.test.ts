import { describe, expect, it, vi } from 'vitest'
import { type ChangesParameters, type OperationName, operations } from '@headwater/contract'
import { createClient, getBalances, getTokenInfo, type HttpError, setBudget } from '@headwater/core'
import { createFakeService, expectUnits, type FakeServiceOptions } from '@headwater/testing'
import { createProxy } from './createProxy.ts'
import type { ProxyOptions } from './ProxyOptions.ts'

const origin = 'https://app.example.org'
const basePath = '/api/headwater'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** A proxy in front of a fake service, and the requests that the service received from it. */
function setUp(options: Partial<ProxyOptions> = {}, serviceOptions: FakeServiceOptions = {}) {
  const service = createFakeService({ url: 'http://headwater.internal:4000', ...serviceOptions })
  const errors: Error[] = []
  const sent: { readonly url: string; readonly headers: Headers; readonly signal: AbortSignal }[] =
    []
  const proxy = createProxy({
    baseUrl: service.url,
    apiKey: service.key,
    basePath,
    operations: Object.keys(operations) as OperationName[],
    fetch: async (input, init) => {
      sent.push({ url: String(input), headers: new Headers(init?.headers), signal: init!.signal! })
      return service.fetch(input, init)
    },
    onError: (error) => errors.push(error),
    ...options,
  })
  const { address } = service.wallet('everyday')
  const get = (path: string, init: RequestInit = {}) =>
    proxy(
      new Request(`${origin}${basePath}${path}`, {
        ...init,
        headers: { ...sameOrigin, ...(init.headers as Record<string, string>) },
      }),
    )
  const balances = `/v1/evm/balances/${address}?chain_ids=1`
  return { service, proxy, get, errors, sent, address, balances }
}

async function toError(response: Response) {
  const { code, param } = (await response.json()) as { code: string; param?: string }
  return { status: response.status, code, ...(param !== undefined && { param }) }
}

describe('a permitted request', () => {
  it('reaches the service with the key, and returns its body and the headers that clients read', async () => {
    const { service, get, sent, balances } = setUp()
    const direct = await service.fetch(service.url + balances, {
      headers: { 'X-Service-Api-Key': service.key },
    })
    const response = await get(balances, { headers: { cookie: 'a=b', authorization: 'Bearer c' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(await direct.json())
    const names = ['x-compute-units-cost', 'x-block-numbers', 'etag', 'x-ratelimit-limit']
    const values = ({ headers }: Response) => names.map((name) => headers.get(name))
    expect(values(response)).toEqual(values(direct))
    expect([...sent[0]!.headers.keys()].sort()).toEqual([
      'accept',
      'x-request-id',
      'x-service-api-key',
    ])
  })

  it('is written anew: unknown parameters are dropped, addresses in lower case, limits reduced', async () => {
    const { get, sent, address } = setUp()
    const upper = `0x${address.slice(2).toUpperCase()}`
    await get(`/v1/evm/balances/${upper}?utm=1&limit=${'9'.repeat(30)}&chain_ids=%201,1,mainnet`)
    expect(sent.map(({ url }) => new URL(url).pathname + new URL(url).search)).toEqual([
      `/v1/evm/balances/${address}?chain_ids=1,mainnet&limit=1000`,
    ])
  })

  it('is conditional where the visitor has an entity tag', async () => {
    const { get, balances } = setUp()
    const tag = (await get(balances)).headers.get('etag')!
    const response = await get(balances, { headers: { 'if-none-match': tag } })
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect(response.headers.get('x-compute-units-cost')).toBe('1')
  })

  it('may be HEAD, and has no body', async () => {
    const { get, service, errors, balances } = setUp()
    const response = await get(balances, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(service.requests.map(({ method }) => method)).toEqual(['HEAD'])
    const invalid = await get('/v1/evm/balances/vitalik', { method: 'HEAD' })
    expect([invalid.status, await invalid.text()]).toEqual([400, ''])
    const { address } = service.token('USDC')
    const unsupported = `/v1/evm/token-info/${address}?chain_ids=999999`
    expect((await get(unsupported)).status).toBe(404)
    expect((await get(unsupported, { method: 'HEAD' })).status).toBe(404)
    expect(errors).toEqual([])
  })

  it('has URLs of images at the proxy, which serves them without the key', async () => {
    const { get, sent, service } = setUp()
    const usdc = service.token('USDC')
    const response = await get(`/v1/evm/token-info/${usdc.address}?chain_ids=1`)
    const { tokens } = (await response.json()) as { tokens: { logo: string }[] }
    const logo = `/beta/token/logo/1/${usdc.address}`
    expect(tokens[0]!.logo).toBe(basePath + logo)
    const image = await get(logo)
    expect(image.headers.get('content-type')).toBe('image/svg+xml')
    expect(image.headers.get('content-security-policy')).toMatch(/sandbox/)
    expect(sent[1]!.headers.has('x-service-api-key')).toBe(false)
  })
})

describe('URLs of images', () => {
  const publicUrl = 'https://data.example.org'
  const row = { logo: `${publicUrl}/beta/token/logo/1`, symbol: `of ${publicUrl}/x` }
  const other = { logo: `${publicUrl}x/a`, symbol: '\\"' }
  it.each([
    ['declared', { 'X-Public-Url': publicUrl }, publicUrl],
    ['declared, with a path', { 'X-Public-Url': `${publicUrl}/data/` }, `${publicUrl}/data`],
    ['not declared', {}, 'http://headwater.internal:4000'],
    ['not a URL', { 'X-Public-Url': 'javascript:alert(1)' }, 'http://headwater.internal:4000'],
  ])('begin with the public URL of the service: %s', async (_, headers, url) => {
    const toBody = (to: string) =>
      JSON.stringify([row, other]).replace(row.logo, `${to}/beta/token/logo/1`)
    const { get, balances } = setUp({
      fetch: () =>
        Promise.resolve(
          new Response(toBody(url), {
            headers: { ...headers, 'Content-Type': 'application/json' },
          }),
        ),
    })
    const response = await get(balances)
    expect(await response.text()).toBe(toBody(basePath))
    expect(response.headers.has('x-public-url')).toBe(false)
  })
})

describe('a request that the app does not permit', () => {
  it('of another operation, path or method is rejected', async () => {
    const { get, sent, address, balances } = setUp({ operations: ['balances'], images: false })
    for (const path of [
      `/v1/evm/collectibles/${address}`,
      '/v1/evm/supported-chains',
      `/x${balances}`,
      '/beta/token/logo/1',
      '',
    ]) {
      expect(await toError(await get(path))).toEqual({ status: 404, code: 'NOT_FOUND' })
    }
    const { message } = (await (await get(`/v1/evm/collectibles/${address}`)).json()) as Error
    expect(message).toContain('collectibles, which is not among its `operations`')
    const response = await get(balances, { method: 'POST', body: 'x' })
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(await toError(response)).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' })
    expect(sent).toEqual([])
  })

  it.each([
    ['?limit=0', 'INVALID_PARAMETER', 'limit'],
    ['?limit=1&limit=2', 'REPEATED_PARAMETER', 'limit'],
    ['?historical_prices=1,2,3,4', 'INVALID_PARAMETER', 'historical_prices'],
    ['?chain_ids=%0d%0a', 'INVALID_PARAMETER', 'chain_ids'],
  ])('of invalid parameters is rejected: %s', async (query, code, param) => {
    const { get, sent, address } = setUp()
    const response = await get(`/v1/evm/balances/${address}${query}`)
    expect(await toError(response)).toEqual({ status: 400, code, param })
    expect(sent).toEqual([])
  })

  it('is decided by a function with valid parameters, addresses in lower case', async () => {
    const { address } = createFakeService().wallet('everyday')
    const authorize = {
      balances: (parameters: { address: string }) =>
        Promise.resolve(parameters.address === address),
    }
    const { get, sent } = setUp({ authorize })
    expect((await get(`/v1/evm/balances/0x${address.slice(2).toUpperCase()}`)).status).toBe(200)
    const other = await get(`/v1/evm/balances/0x${'1'.repeat(40)}`)
    expect(await toError(other)).toEqual({ status: 403, code: 'NOT_PERMITTED' })
    expect(sent.length).toBe(1)
  })

  it('is rejected when the function fails, without its message', async () => {
    const authorize = {
      balances: () => {
        throw new Error('database at 10.0.0.7')
      },
    }
    const { get, errors, balances } = setUp({ authorize })
    const response = await get(balances)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/10\.0\.0\.7/)
    expect(errors.map(({ cause }) => String(cause))).toEqual(['Error: database at 10.0.0.7'])
  })
})

describe('the origin of a request', () => {
  const other = 'https://other.example.org'
  it.each([
    ['of the same origin', { 'sec-fetch-site': 'same-origin' }, 200],
    ['of the address bar', { 'sec-fetch-site': 'none' }, 200],
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: other }, 403],
    ['of another site without CORS', { 'sec-fetch-site': 'cross-site', referer: origin }, 403],
    ['of a sibling domain', { 'sec-fetch-site': 'same-site', origin: other }, 403],
    ['of an older browser', { origin }, 200],
    ['of an older browser without CORS', { referer: `${origin}/wallet` }, 200],
    ['of an older browser on another site', { origin: other, referer: origin }, 403],
    ['of a sandboxed frame', { origin: 'null' }, 403],
    ['of an unknown program', {}, 403],
    ['behind a proxy that terminates TLS', { origin: origin.replace('https', 'http') }, 200],
  ])('%s', async (_, headers, status) => {
    const { proxy, sent, balances } = setUp()
    const response = await proxy(
      new Request(origin + basePath + balances, { headers: headers as Record<string, string> }),
    )
    expect(response.status).toBe(status)
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
    expect(sent.length).toBe(status === 200 ? 1 : 0)
  })

  it('may be one of a list, whose scripts may read the headers', async () => {
    const { get, balances } = setUp({ origins: [other] })
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    const response = await get(balances, { headers: { ...crossSite, origin: other } })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(other)
    expect(response.headers.get('access-control-expose-headers')).toMatch(/X-Compute-Units-Cost/)
    expect(response.headers.get('vary')).toBe('Origin')
    const preflight = await get(balances, {
      method: 'OPTIONS',
      headers: { ...crossSite, origin: other, 'access-control-request-headers': 'x-request-id' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-request-id')
    const image = await get('/beta/token/logo/1', { headers: { ...crossSite, referer: other } })
    expect(image.status).toBe(200)
    const stranger = { ...crossSite, origin: 'https://third.example.org' }
    expect((await get(balances, { headers: stranger })).status).toBe(403)
    expect((await get(balances, { method: 'OPTIONS', headers: stranger })).status).toBe(403)
  })

  it('may be any', async () => {
    const { proxy, balances } = setUp({ origins: '*' })
    const response = await proxy(new Request(origin + basePath + balances))
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('an error of the service', () => {
  it.each([
    [400, { code: 'UNKNOWN_CHAIN_TAG' }, 400, 'UNKNOWN_CHAIN_TAG'],
    [404, { code: 'CHAIN_NOT_SUPPORTED' }, 404, 'CHAIN_NOT_SUPPORTED'],
    [404, { body: 'not here' }, 502, 'UPSTREAM_ERROR'],
    [401, {}, 502, 'UPSTREAM_KEY_REJECTED'],
    [403, {}, 502, 'UPSTREAM_KEY_REJECTED'],
    [402, {}, 402, 'UNITS_EXHAUSTED'],
    [429, { retryAfter: 7 }, 429, 'RATE_EXCEEDED'],
    [500, {}, 502, 'UPSTREAM_ERROR'],
    [503, { code: 'CHAIN_NOT_READY', retryAfter: 7 }, 503, 'CHAIN_NOT_READY'],
    [504, {}, 504, 'UPSTREAM_TIMEOUT'],
    [302, {}, 502, 'UPSTREAM_ERROR'],
  ])('%i becomes one of the contract', async (status, fault, expected, code) => {
    const { get, service, errors, balances } = setUp()
    service.fail({ status, message: 'test-key at headwater.internal:4000 failed', ...fault })
    const response = await get(balances)
    const text = await response.clone().text()
    expect(text).not.toMatch(/test-key|headwater\.internal/)
    expect(await toError(response)).toEqual({ status: expected, code })
    expect(response.headers.get('x-compute-units-cost')).toBe('0')
    if ('retryAfter' in fault) {
      expect(response.headers.get('retry-after')).toBe('7')
    }
    expect(errors.length).toBe(expected === 400 || expected === 404 ? 0 : 1)
    if (code === 'UPSTREAM_KEY_REJECTED') {
      expect(String(errors[0]!.cause)).toContain(': check the apiKey')
    }
  })

  it.each([
    [{ kind: 'network' } as const, 502, 'UPSTREAM_UNREACHABLE'],
    [{ kind: 'html', status: 200 } as const, 502, 'UPSTREAM_ERROR'],
  ])('%o becomes an error of a gateway', async (fault, status, code) => {
    const { get, service, balances } = setUp()
    service.fail(fault)
    expect(await toError(await get(balances))).toEqual({ status, code })
  })

  it('is waited for without a timeout', async () => {
    vi.useFakeTimers()
    try {
      const { get, service, balances } = setUp({ timeout: Infinity })
      const heal = service.fail({ kind: 'hold' })
      const response = get(balances)
      await vi.advanceTimersByTimeAsync(60_000)
      heal()
      expect((await response).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  it('becomes 504 when it does not respond in time', async () => {
    vi.useFakeTimers()
    try {
      const { get, service, sent, balances } = setUp({ timeout: 5000 })
      service.fail({ kind: 'hold' })
      const response = get(balances)
      await vi.advanceTimersByTimeAsync(5000)
      expect(await toError(await response)).toEqual({ status: 504, code: 'UPSTREAM_TIMEOUT' })
      expect(sent[0]!.signal.aborted).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  const thrown = new Error('no connection to the log')
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw thrown
      },
    ],
    ['rejects', () => Promise.reject(thrown)],
  ])('has a response also if the function that receives its reason %s', async (_, onError) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { get, service, balances } = setUp({ onError })
    service.fail({ kind: 'network' })
    const response = await get(balances)
    expect(await toError(response)).toEqual({ status: 502, code: 'UPSTREAM_UNREACHABLE' })
    expect(log).toHaveBeenCalledWith(thrown)
    log.mockRestore()
  })

  it('in the middle of a body breaks the body, and is reported once', async () => {
    const { get, service, errors, balances } = setUp()
    service.fail({ kind: 'cut' })
    const [first, second] = await Promise.all([get(balances), get(balances)])
    await expect(first.text()).rejects.toThrow()
    await expect(second.text()).rejects.toThrow()
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'UPSTREAM_ERROR' })
    expect(errors[0]!.cause).toBeDefined()
  })

  it('caused by a visitor that leaves is not reported', async () => {
    const { get, errors, balances } = setUp()
    const visitor = new AbortController()
    const response = await get(balances, { signal: visitor.signal })
    const reader = response.body!.getReader()
    visitor.abort()
    await reader.read().catch(() => undefined)
    await (await get(balances)).body!.cancel()
    expect(errors).toEqual([])
  })
})

describe('a proxy without configuration', () => {
  it('has the defaults of options that are undefined', async () => {
    const defaults = { basePath: undefined, changes: undefined, rateLimit: undefined }
    const { proxy } = setUp({ ...defaults, authorize: undefined, origins: undefined })
    const request = new Request(`${origin}/v1/evm/changes`, { headers: sameOrigin })
    expect(await toError(await proxy(request))).toEqual({ status: 404, code: 'NOT_FOUND' })
  })

  it.each([
    ['baseUrl is undefined: set its environment variable', { baseUrl: undefined }],
    ['apiKey is undefined: set its environment variable', { apiKey: undefined }],
    ['apiKey has characters', { apiKey: () => Promise.resolve('line\r\nbreak') }],
  ])('responds with 500, and reports: %s', async (reason, options) => {
    const { get, errors, sent, balances } = setUp(options)
    const response = await get(balances)
    // Longer than clients wait before they report an error.
    expect(response.headers.get('retry-after')).toBe('60')
    expect(await toError(response)).toEqual({ status: 500, code: 'PROXY_NOT_CONFIGURED' })
    expect(String(errors[0]!.cause)).toContain(reason)
    expect(String(errors[0]!.cause)).not.toContain('line')
    expect(sent).toEqual([])
  })

  it.each(['/v1', '/v1/evm', '/elsewhere/'])(
    'responds with 500, and names baseUrl, if the service has no path below it: %s',
    async (suffix) => {
      const { get, errors, address } = setUp({ baseUrl: `http://headwater.internal:4000${suffix}` })
      for (const path of [`/v1/evm/balances/${address}`, '/beta/token/logo/1']) {
        const response = await get(path)
        expect(response.headers.get('retry-after')).toBe('60')
        expect(await toError(response)).toEqual({ status: 500, code: 'PROXY_NOT_CONFIGURED' })
      }
      expect(errors.map(({ cause }) => String(cause))).toEqual(
        Array(2).fill(expect.stringMatching(/baseUrl.*without `\/v1`/)),
      )
    },
  )

  it('reports what another proxy in place of the service does not serve', async () => {
    const inner = setUp({ operations: ['balances'], origins: '*' })
    const outer = setUp({
      baseUrl: origin + basePath,
      fetch: (input, init) => inner.proxy(new Request(input, init)),
    })
    const path = `/v1/evm/token-info/${inner.service.token('USDC').address}?chain_ids=1`
    expect((await outer.get(outer.balances)).status).toBe(200)
    expect(await toError(await outer.get(path))).toEqual({
      status: 500,
      code: 'PROXY_NOT_CONFIGURED',
    })
    expect(outer.errors.map(({ cause }) => String(cause))).toEqual([
      expect.stringContaining('tokenInfo, which is not among its `operations`'),
    ])
  })

  it.each([
    [{ baseUrl: 'headwater.internal' }],
    [{ operations: ['balance' as 'balances'] }],
    [{ timeout: 0 }],
    [{ basePath: 'api' }],
    [{ publicUrl: 'app.example.org/api' }],
    [{ origins: ['example.org'] }],
    [{ apiKeyHeader: 'X Key' }],
    [{ apiKeyHeader: '' }],
    // As of a variable that is not set.
    [{ rateLimit: { requests: NaN, seconds: 60, visitor: () => '' } }],
    [{ rateLimit: { requests: 60, seconds: 0, visitor: () => '' } }],
    [{ rateLimit: { requests: 60, seconds: 60 } as never }],
  ])('that is invalid is rejected: %o', (options) => {
    expect(() => setUp(options)).toThrow(/createProxy/)
  })

  it.each([undefined, null, 'balances'])(
    'names operations if they are not a list: %s',
    (operations) => {
      expect(() => setUp({ operations: operations as never })).toThrow(
        'createProxy: operations must be a list',
      )
    },
  )

  it.each([undefined, null])(
    'are an error that names an option if they are missing: %s',
    (options) => {
      expect(() => createProxy(options as never)).toThrow('createProxy: operations must be a list')
    },
  )
})

describe('the stream of changes', () => {
  it('is relayed event by event, without the responses of other operations', async () => {
    const { service, get, sent, address } = setUp({ changes: true }, { changes: true })
    const upper = address.toUpperCase().replace('0X', '0x')
    const controller = new AbortController()
    const path = `/v1/evm/changes?wallets=1:${upper}&include=responses`
    const response = await get(path, {
      headers: { 'last-event-id': '0', prefer: 'wait=9' },
      signal: controller.signal,
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toContain('heartbeat')
    service.setAmount(address, service.token('USDC'), 5n)
    expect((await reader.read()).value).toContain(`"wallets":["${address}"]`)
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([`?wallets=1:${address}`])
    expect(sent[0]!.headers.get('last-event-id')).toBe('0')
    expect(sent[0]!.headers.has('prefer')).toBe(false)
    controller.abort()
    await expect.poll(() => sent[0]!.signal.aborted).toBe(true)
  })

  it('is not encoded where something before the service encodes it, as events would be held back', async () => {
    const event = 'data: {}\n\n'
    const { get, address } = setUp({
      changes: true,
      fetch: () => {
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(event)),
        })
        const headers = { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' }
        return Promise.resolve(new Response(body, { headers }))
      },
    })
    const response = await get(`/v1/evm/changes?wallets=1:${address}`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(response.headers.has('content-encoding')).toBe(false)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe(event)
  })

  it('is of any length', async () => {
    const chunk = new Uint8Array(40_000_000)
    let rest = 2
    const { get, address } = setUp({
      changes: true,
      fetch: () => {
        const body = new ReadableStream({
          pull: (controller) => (rest-- > 0 ? controller.enqueue(chunk) : controller.close()),
        })
        const headers = { 'Content-Type': 'text/event-stream' }
        return Promise.resolve(new Response(body, { headers }))
      },
    })
    const response = await get(`/v1/evm/changes?wallets=1:${address}`)
    let received = 0
    for await (const { byteLength } of response.body!) {
      received += byteLength
    }
    expect(received).toBe(80_000_000)
  })

  it('is announced and served only with the option, and as far as the app permits', async () => {
    const without = setUp({}, { changes: true })
    expect((await without.get(without.balances)).headers.has('x-changes-path')).toBe(false)
    const path = `/v1/evm/changes?wallets=1:${without.address}`
    expect((await without.get(path)).status).toBe(404)
    const authorize = { changes: ({ wallets = [] }: ChangesParameters) => wallets.length === 0 }
    const { get, balances } = setUp({ changes: true, authorize }, { changes: true })
    expect((await get(balances)).headers.get('x-changes-path')).toBe('/v1/evm/changes')
    expect((await get(path)).status).toBe(403)
    expect(await toError(await get('/v1/evm/changes'))).toMatchObject({ param: 'wallets' })
  })
})

describe('the client of core', () => {
  it('counts units and retries through the proxy as at the service', async () => {
    const { proxy, service, address } = setUp()
    const client = createClient({
      baseUrl: origin + basePath,
      fetch: (input, init) => proxy(new Request(input, { ...init, headers: sameOrigin })),
    })
    const { balances } = await getBalances(client, { address, chainIds: [1, 8453] })
    expect(balances.length).toBeGreaterThan(0)
    expectUnits(client).toCost(2)
    expect(service.units).toBe(2)
    service.fail({ status: 429, retryAfter: 3 })
    const error = await getBalances(client, { address }).catch(
      (error: unknown) => error as HttpError,
    )
    expect(error).toMatchObject({ status: 429, retryAfter: 3000, isRetryable: true })
    client.destroy()
  })

  it('keeps to its budget after a response that was shared', async () => {
    const { proxy, service, address } = setUp()
    const open = () =>
      createClient({
        baseUrl: origin + basePath,
        fetch: (input, init) => proxy(new Request(input, { ...init, headers: sameOrigin })),
      })
    const clients = [open(), open()]
    await Promise.all(clients.map((each) => getBalances(each, { address, chainIds: [1] })))
    expect(service.units).toBe(1)
    for (const client of clients) {
      setBudget(client, { perMinute: 3 })
      const results = await Promise.allSettled(
        ['1', '2', '3', '4', '5'].map((digit) =>
          getBalances(client, { address: `0x${digit.repeat(40)}`, chainIds: [1] }),
        ),
      )
      expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(1)
      expect(client.getUsage().spent).toBe(3)
      client.destroy()
    }
    expect(service.units).toBe(6)
  })

  it('of the server is not restricted, and receives URLs of the proxy', async () => {
    const rateLimit = { requests: 0, seconds: 60, visitor: () => 'a' }
    const authorize = { balances: () => false }
    const { proxy, service, address, sent } = setUp({
      operations: ['balances'],
      authorize,
      rateLimit,
    })
    const client = createClient({ baseUrl: basePath, fetch: proxy.fetch })
    const { balances } = await getBalances(client, { address, metadata: ['logo'] })
    expect(balances[0]!.token_metadata!.logo).toBe(`${basePath}/beta/token/logo/1`)
    const { address: token } = service.token('USDC')
    const { tokens } = await getTokenInfo(client, { address: token, chainIds: [1] })
    expect(tokens[0]!.logo).toBe(`${basePath}/beta/token/logo/1/${token}`)
    expect(sent.map(({ url }) => new URL(url).origin)).toEqual([service.url, service.url])
    service.fail({ status: 401 })
    await expect(getBalances(client, { address })).rejects.toMatchObject({ status: 502 })
    client.destroy()
  })

  it.each(['/api/headwater', 'https://app.example.org/api/headwater/'])(
    'of the server has the path of publicUrl %s if a framework removes the mount path',
    async (publicUrl) => {
      const { url: baseUrl, key: apiKey, fetch, wallet } = createFakeService()
      const proxy = createProxy({ baseUrl, apiKey, fetch, publicUrl, operations: ['balances'] })
      const { address } = wallet('everyday')
      const url = `https://app.example.org/v1/evm/balances/${address}`
      expect((await proxy(new Request(url, { headers: sameOrigin }))).status).toBe(200)
      const client = createClient({ baseUrl: publicUrl, fetch: proxy.fetch })
      expect(await getBalances(client, { address })).toMatchObject({ wallet_address: address })
      client.destroy()
    },
  )

  it('of the server aborts the request to the service', async () => {
    const { proxy, service, address, sent } = setUp()
    const client = createClient({ baseUrl: basePath, fetch: proxy.fetch })
    service.fail({ kind: 'hold' })
    const response = getBalances(client, { address })
    await expect.poll(() => sent).toHaveLength(1)
    client.destroy()
    await expect(response).rejects.toMatchObject({ name: 'DestroyedError' })
    expect(sent[0]!.signal.aborted).toBe(true)
  })
})
