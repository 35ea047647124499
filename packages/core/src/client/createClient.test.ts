import { dehydrate, hydrate, QueryClient } from '@tanstack/query-core'
import { QueryClient as OtherQueryClient } from 'query-core-lowest'
import { describe, expect, it, vi } from 'vitest'
import { allStreams } from '../../test/allStreams.ts'
import { address, balance, balancesResponse, numberedAddress } from '../../test/balances.ts'
import { json } from '../../test/createFakeService.ts'
import { respondWith, startServer } from '../../test/startServer.ts'
import { waitForChange } from '../changes/waitForChange.ts'
import type { ResponseEvent } from '../client/Client.ts'
import { balancesQueryOptions, getBalances, watchBalances } from '../operations/balances.ts'
import { watchPrice } from '../prices/watchPrices.ts'
import { type Client } from './Client.ts'
import { createClient } from './createClient.ts'
import { perClient } from './perClient.ts'

describe('createClient', () => {
  it.each([
    ['http://localhost:1', 'http://localhost:1'],
    ['https://example.org/', 'https://example.org'],
    ['https://example.org/data/v2//', 'https://example.org/data/v2'],
    ['https://example.org/?', 'https://example.org'],
    ['https://example.org/data#', 'https://example.org/data'],
    [' https://example.org ', 'https://example.org'],
    ['http://[::1]:4000/data', 'http://[::1]:4000/data'],
    ['https://example.org/@team/data', 'https://example.org/@team/data'],
  ])('accepts %s', (baseUrl, normalized) => {
    expect(createClient({ baseUrl }).baseUrl).toBe(normalized)
  })

  it.each([
    '',
    'api',
    '//example.org',
    'example.org',
    'https://',
    'https://:80',
    'https://exa mple.org',
    'https://example.org\\data',
    'ftp://example.org',
    undefined as unknown as string,
    'https://x.org?a=1',
    'https://x.org#a',
    'https://u:p@x.org',
  ])('rejects %j as base URL', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(
      expect.objectContaining({ name: 'InvalidParameterError', parameter: 'baseUrl' }),
    )
  })

  it.each([undefined, null])('rejects %s as options', (options) => {
    expect(() => createClient(options as never)).toThrow(
      expect.objectContaining({ name: 'InvalidParameterError', parameter: 'baseUrl' }),
    )
  })

  it('names both kinds of base URL if there is no page that a path is relative to', () => {
    const create = () => createClient({ baseUrl: '/api', ssr: false })
    expect(create).toThrow(
      'must be an absolute http or https URL, or in browsers a path such as "/api"',
    )
    vi.stubGlobal('location', { origin: 'null' })
    expect(create).toThrow('must be an absolute')
    vi.unstubAllGlobals()
  })

  it('accepts a path on a server, which renders what is cached, and rejects requests', async () => {
    const client = createClient({ baseUrl: '/api', scope: 'data', ssr: true })
    const { queryKey } = balancesQueryOptions(client, { address })
    client.queryClient.setQueryData(queryKey, balancesResponse())
    expect(watchBalances(client, { address }).getSnapshot().data).toEqual([])
    await expect(getBalances(client, { address })).rejects.toThrow(
      'The parameter `baseUrl` must be an absolute URL in a client of a server that sends requests',
    )
    expect(client.getUsage().spent).toBe(0)
  })

  it('passes paths to the `fetch` of a server', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(json(balancesResponse())))
    const client = createClient({ baseUrl: '/api', ssr: true, fetch })
    await getBalances(client, { address })
    expect(fetch.mock.calls.map(([url]) => url)).toEqual([`/api/v1/evm/balances/${address}`])
    // The `Request` of the hook has an absolute URL.
    const hooked = createClient({ baseUrl: '/api', ssr: true, fetch, onRequest: () => undefined })
    await expect(getBalances(hooked, { address })).rejects.toThrow('must be an absolute URL')
  })

  it('resolves a path by the origin of the page, for each request', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(json(balancesResponse())))
    vi.stubGlobal('location', { origin: 'https://app.example' })
    const clients = ['/api/', '/', ' /api\n'].map((baseUrl) => createClient({ baseUrl, fetch }))
    expect(clients.map(({ baseUrl }) => baseUrl)).toEqual(['/api', '', '/api'])
    expect(() => createClient({ baseUrl: '//example.org' })).toThrow('must be an absolute')
    await getBalances(clients[0]!, { address })
    vi.stubGlobal('location', { origin: 'https://other.example' })
    await getBalances(clients[1]!, { address })
    vi.unstubAllGlobals()
    expect(fetch.mock.calls.map(([url]) => url)).toEqual([
      `https://app.example/api/v1/evm/balances/${address}`,
      `https://other.example/v1/evm/balances/${address}`,
    ])
  })

  it('uses its scope in query keys, by default the base URL', () => {
    const baseUrl = 'https://example.org/'
    const keyOf = (client: Client) => balancesQueryOptions(client, { address }).queryKey
    expect(keyOf(createClient({ baseUrl }))[1]).toBe('https://example.org')
    expect(keyOf(createClient({ baseUrl, scope: 'data' }))[1]).toBe('data')
  })

  it.each([
    ['apiKey', { apiKey: 'hw_\u2026' }],
    ['apiKey', { apiKey: 'two\nlines' }],
    ['apiKeyHeader', { apiKeyHeader: 'X Key', apiKey: 'key' }],
    ['apiKeyHeader', { apiKeyHeader: '', apiKey: 'key' }],
    ['headers', { headers: { 'X Key': 'a' } }],
    ['headers', { headers: { 'X-Key': 'two\nlines' } }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: -1 }],
    ['timeout', { timeout: Number.NaN }],
    ['apiKey', { apiKey: 5 }],
    ['apiKeyHeader', { apiKeyHeader: 5 }],
    ['headers', { headers: 'a: b' }],
    ['headers', { headers: [['a', 'b']] }],
    ['headers', { headers: new Headers({ a: 'b' }) }],
    ['headers', { headers: { a: null } }],
    ['scope', { scope: 5 }],
    ['fetch', { fetch: 'fetch' }],
    ['onRequest', { onRequest: {} }],
    ['onResponse', { onResponse: {} }],
    ['onError', { onError: {} }],
    ['ssr', { ssr: 'false' }],
    ['push', { push: 'false' }],
    ['queryClient', { queryClient: 'default' }],
    ['queryClient', { queryClient: {} }],
    ['defaultOptions', { defaultOptions: 5 }],
    ['defaultOptions.queries', { defaultOptions: { queries: 5 } }],
    ...[
      { gcTime: '5' },
      { refetchInterval: '5' },
      { refetchInterval: true },
      { refetchOnReconnect: 'never' },
      { refetchOnWindowFocus: 5 },
      { retry: '5' },
      { retryDelay: false },
      { staleTime: () => 5 },
    ].map((queries) => [
      `defaultOptions.queries.${Object.keys(queries)[0]}`,
      { defaultOptions: { queries } },
    ]),
  ] as [string, object][])('rejects an invalid %s without exposing it: %j', (parameter, wrong) => {
    expect(() => createClient({ baseUrl: 'https://example.org', ...wrong })).toThrow(
      expect.objectContaining({ name: 'InvalidParameterError', parameter, details: undefined }),
    )
  })

  it.each([
    { apiKey: ' key\n' },
    { apiKey: '' },
    { apiKey: 'sch\u00f6n', apiKeyHeader: 'Authorization' },
    { timeout: Infinity },
    { timeout: 0.5 },
    {
      defaultOptions: {
        queries: {
          gcTime: Infinity,
          refetchInterval: false as const,
          refetchOnReconnect: 'always' as const,
          refetchOnWindowFocus: () => true,
          retry: 1,
          retryDelay: () => 1,
          staleTime: null as unknown as undefined,
        },
      },
    },
  ])('accepts %j', (options) => {
    expect(createClient({ baseUrl: 'https://example.org', ...options })).toBeDefined()
  })

  it('takes null for an option that is absent, as in plain JavaScript', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(json(balancesResponse())))
    const absent = Object.fromEntries(
      [
        'scope',
        'apiKey',
        'apiKeyHeader',
        'headers',
        'onRequest',
        'onResponse',
        'onError',
        'queryClient',
        'timeout',
        'push',
        'ssr',
      ].map((name) => [name, null]),
    )
    const baseUrl = 'https://example.org'
    for (const queries of [null, undefined]) {
      const client = createClient({
        ...absent,
        baseUrl,
        fetch,
        defaultOptions: { queries } as object,
      })
      await getBalances(client, { address })
      expect(fetch.mock.lastCall?.[1]).toMatchObject({ headers: { accept: 'application/json' } })
      expect(watchBalances(client, { address }).getSnapshot().status).toBe('pending')
      client.destroy()
      expect(client.queryClient.getQueryCache().getAll()).toEqual([])
    }
    const client = createClient({ baseUrl, fetch, headers: () => null as never })
    await expect(getBalances(client, { address })).resolves.toEqual(balancesResponse())
  })

  // Prerendering in Next.js rejects a component that reads either: https://nextjs.org/docs/messages/next-prerender-current-time
  it.each(['an empty', 'a hydrated'])(
    'reads no clock and no random number before the first request, with %s cache',
    (cache) => {
      const isHydrated = cache === 'a hydrated'
      const baseUrl = 'https://example.org'
      const queryClient = new QueryClient()
      if (isHydrated) {
        const server = createClient({ baseUrl })
        // The same price in several responses, the latest first, one of them from a clock that is ahead.
        for (const [index, age] of [-3_600_000, 0, 500, 3_600_000].entries()) {
          const owner = index === 1 ? address : numberedAddress(index)
          const { queryKey } = balancesQueryOptions(server, { address: owner, chainIds: [1] })
          const response = balancesResponse(
            balance({
              chain_id: 1,
              address,
              price_usd: index,
              pool_size: 5,
              historical_prices: [{ offset_hours: 24, price_usd: 1 }],
            }),
          )
          server.queryClient.setQueryData(queryKey, response, { updatedAt: Date.now() - age })
        }
        hydrate(queryClient, dehydrate(server.queryClient))
      }
      const now = vi.spyOn(Date, 'now')
      const created = vi.fn()
      vi.stubGlobal(
        'Date',
        class extends Date {
          constructor() {
            super()
            created()
          }
        },
      )
      const sources = [
        now,
        created,
        vi.spyOn(performance, 'now'),
        vi.spyOn(Math, 'random'),
        vi.spyOn(crypto, 'getRandomValues'),
        vi.spyOn(crypto, 'randomUUID'),
      ]
      const client = createClient({ baseUrl, queryClient })
      const streams: typeof allStreams = {
        ...allStreams,
        watchPastPrice: () =>
          watchPrice(client, { chainId: 1, address }, { historicalPrices: [24] }),
      }
      const snapshots = Object.entries(streams).map(([name, watch]) => [
        name,
        watch(client, address, address).getSnapshot().status,
      ])
      const counts = sources.map(({ mock }) => mock.calls.length)
      vi.restoreAllMocks()
      vi.unstubAllGlobals()
      expect(counts).toEqual([0, 0, 0, 0, 0, 0])
      const known = snapshots.filter(([, status]) => status === 'success').map(([name]) => name)
      expect(known).toEqual(
        isHydrated
          ? ['watchBalances', 'watchPortfolio', 'watchPrice', 'watchPrices', 'watchPastPrice']
          : [],
      )
    },
  )

  it('is in server mode without a window, unless configured', () => {
    expect(createClient({ baseUrl: 'https://example.org' }).ssr).toBe(true)
    expect(createClient({ baseUrl: 'https://example.org', ssr: false }).ssr).toBe(false)
  })

  it('clears its own cache when it is destroyed, but not a provided one', () => {
    const own = createClient({ baseUrl: 'https://example.org' })
    own.queryClient.setQueryData(['a'], 1)
    own.destroy()
    expect(own.queryClient.getQueryData(['a'])).toBeUndefined()

    const queryClient = new QueryClient()
    const client = createClient({ baseUrl: 'https://example.org', queryClient })
    queryClient.setQueryData(['a'], 1)
    client.destroy()
    expect(queryClient.getQueryData(['a'])).toBe(1)
  })

  it('warns once of a query client of another copy of query-core, in development', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const baseUrl = 'https://example.org'
    const queryClient = new OtherQueryClient() as unknown as QueryClient
    vi.stubEnv('NODE_ENV', 'production')
    createClient({ baseUrl, queryClient })
    vi.stubEnv('NODE_ENV', 'development')
    createClient({ baseUrl })
    createClient({ baseUrl, queryClient: new QueryClient() })
    expect(warn).not.toHaveBeenCalled()
    createClient({ baseUrl, queryClient })
    createClient({ baseUrl, queryClient })
    expect(warn.mock.calls).toEqual([[expect.stringContaining('npm ls @tanstack/query-core')]])
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  it('aborts requests in flight when it is destroyed, without an error for streams', async () => {
    const ends: Promise<void>[] = []
    let arrived = 0
    const server = await startServer((_, response) => {
      arrived++
      ends.push(new Promise((resolve) => response.on('close', resolve)))
    })
    const { baseUrl } = server
    const queryClient = new QueryClient()
    const client = createClient({ baseUrl, queryClient, ssr: false })
    const [requested, fetched, watched] = [1, 2, 3].map((chain) => ({ address, chainIds: [chain] }))
    const destroyed = { name: 'DestroyedError', isRetryable: false }
    const query = balancesQueryOptions(client, fetched!)
    const rejections = [
      expect(getBalances(client, requested!)).rejects.toMatchObject(destroyed),
      expect(queryClient.fetchQuery(query)).rejects.toMatchObject(destroyed),
    ]
    watchBalances(client, watched!).subscribe()
    await expect.poll(() => arrived).toBe(3)
    client.destroy()
    await Promise.all([...rejections, ...ends])
    const { queryKey } = balancesQueryOptions(client, watched!)
    expect(queryClient.getQueryState(queryKey)).toMatchObject({ status: 'pending', error: null })
    await server.close()
  })

  it('sends and charges nothing after it was destroyed, and completes new streams', async () => {
    const fetch = vi.fn(() => Promise.reject(new Error('sent')))
    const client = createClient({ baseUrl: 'https://example.org', fetch, ssr: false })
    const complete = vi.fn()
    watchBalances(client, { address: 'none' }).subscribe({ complete })
    client.destroy()
    expect(complete).toHaveBeenCalledTimes(1)
    client.usage$.subscribe({ complete })
    expect(complete).toHaveBeenCalledTimes(2)
    const destroyed = { shortMessage: 'The client was destroyed.' }
    await expect(getBalances(client, { address })).rejects.toMatchObject(destroyed)
    await expect(getBalances(client, { address }, { background: true })).rejects.toMatchObject(
      destroyed,
    )
    const query = balancesQueryOptions(client, { address })
    await expect(waitForChange(client, query)).rejects.toMatchObject(destroyed)
    expect(fetch).not.toHaveBeenCalled()
    expect(client.getUsage().spent).toBe(0)
  })

  it('calls onDestroy callbacks once, unless they were removed', () => {
    const client = createClient({ baseUrl: 'https://example.org' })
    const kept = vi.fn()
    const removed = vi.fn()
    client.onDestroy(kept)
    client.onDestroy(removed)()
    client.destroy()
    client.destroy()
    expect(kept).toHaveBeenCalledOnce()
    expect(removed).not.toHaveBeenCalled()
  })
})

describe('perClient', () => {
  it('creates one value per client, on first use', () => {
    const create = vi.fn(({ baseUrl }: Client) => ({ baseUrl }))
    const getInstance = perClient(create)
    const [first, second] = ['https://a.org', 'https://b.org'].map((baseUrl) =>
      createClient({ baseUrl }),
    )
    expect(create).not.toHaveBeenCalled()
    expect(getInstance(first!)).toBe(getInstance(first!))
    expect(getInstance(second!)).toEqual({ baseUrl: 'https://b.org' })
    expect(create).toHaveBeenCalledTimes(2)
  })
})

describe('response listeners of a client', () => {
  it('receive the responses of all requests', async () => {
    let body: unknown = balancesResponse(balance())
    const server = await startServer((request, response) => respondWith(body)(request, response))
    const client = createClient({ baseUrl: server.baseUrl })
    const events: ResponseEvent[] = []
    const listen = (each: ResponseEvent) => void events.push(each)
    client.responseListeners.add(listen)
    const before = Date.now()
    const parameters = { chainIds: [2, 1], address: address.toUpperCase().replace('0X', '0x') }
    const query = balancesQueryOptions(client, parameters)
    await getBalances(client, parameters)
    await client.queryClient.fetchQuery(query)
    await client.queryClient.fetchQuery({ ...query, staleTime: Infinity })
    body = 'broken'
    await expect(getBalances(client, parameters)).rejects.toThrow()
    expect(events).toHaveLength(2)
    expect(events[1]).toMatchObject({
      operation: 'balances',
      parameters: { address, chainIds: [1, 2] },
      response: balancesResponse(balance()),
    })
    expect(events[1]?.receivedAt).toBeGreaterThanOrEqual(before)
    client.responseListeners.delete(listen)
    body = balancesResponse()
    await getBalances(client, parameters)
    expect(events).toHaveLength(2)
    await server.close()
  })
})
