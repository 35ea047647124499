import { dehydrate, hydrate, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import {
  balancesQueryOptions,
  type Client,
  type ClientOptions,
  firstSettled,
  type Snapshot,
  tokenInfoQueryOptions,
  watchBalances,
  watchPortfolio,
  watchPrice,
  watchPrices,
  watchTokenInfo,
} from '../src/index.ts'
import { address, balance, balancesResponse } from './balances.ts'
import { advance, record } from './clientsInFakeTime.ts'
import { json, never } from './createFakeService.ts'
import { operationExamples } from './operations.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'
import { parameters, tokenInfo } from './tokenInfo.ts'

const { service, create } = serviceInFakeTime((count) => json(tokenInfo(count)))
const createServer = (options: Partial<ClientOptions> = {}) => create({ ssr: true, ...options })
const createBrowser = create

/** The dehydrated state in the page. */
async function render(client: Client): Promise<string> {
  await client.queryClient.prefetchQuery(tokenInfoQueryOptions(client, parameters))
  return JSON.stringify(dehydrate(client.queryClient))
}

const watch = (client: Client) => record(watchTokenInfo(client, parameters))

describe('a query rendered on a server', () => {
  it('is displayed in the browser without a request while it is fresh', async () => {
    const page = await render(createServer())
    await advance(3000)
    const browser = createBrowser()
    hydrate(browser.queryClient, JSON.parse(page))
    const { emitted, stream } = watch(browser)
    expect(emitted).toEqual([stream.getSnapshot()])
    expect(emitted[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    await advance(6800)
    expect(service.requests).toHaveLength(1)
    await advance(400)
    expect(service.requests).toHaveLength(2)
    expect(emitted.map(({ data }) => data)).toEqual([tokenInfo(1), tokenInfo(2)])
  })

  it('is displayed in a browser that reaches the service by another URL, with the same scope', async () => {
    const page = await render(createServer({ baseUrl: 'http://data.internal:4000', scope: 'data' }))
    expect(page).not.toContain('internal')
    const browser = createBrowser({ baseUrl: 'https://app.example/api', scope: 'data' })
    hydrate(browser.queryClient, JSON.parse(page))
    const { emitted } = watch(browser)
    const price = record(watchPrice(browser, { chainId: 31337, address: 'native' }))
    await advance(3000)
    expect(emitted).toHaveLength(1)
    expect(emitted[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    expect(price.emitted).toMatchObject([{ status: 'success', data: { price_usd: 1 } }])
    expect(service.requests).toHaveLength(1)
  })

  it('is displayed and refetched when it is stale', async () => {
    const page = await render(createServer())
    await advance(60_000)
    const browser = createBrowser()
    hydrate(browser.queryClient, JSON.parse(page))
    const { emitted } = watch(browser)
    expect(emitted[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    await advance(0)
    expect(service.requests).toHaveLength(2)
    expect(emitted).toHaveLength(2)
  })

  it('does not replace newer data of the browser', async () => {
    const page = await render(createServer())
    await advance(1000)
    const browser = createBrowser()
    const { emitted } = watch(browser)
    await advance(0)
    hydrate(browser.queryClient, JSON.parse(page))
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({ data: tokenInfo(2) })
  })

  it('is not requested again when it is hydrated while pending', async () => {
    service.respond = () =>
      new Promise((resolve) => setTimeout(() => resolve(json(tokenInfo(7))), 500))
    const server = createServer()
    void server.queryClient.prefetchQuery(tokenInfoQueryOptions(server, parameters))
    const state = dehydrate(server.queryClient, { shouldDehydrateQuery: () => true })
    const browser = createBrowser()
    hydrate(browser.queryClient, state)
    const { emitted } = watch(browser)
    expect(emitted.map(({ status }) => status)).toEqual(['pending'])
    await advance(600)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: tokenInfo(7) })
    expect(service.requests).toHaveLength(1)
  })

  it.each(operationExamples)(
    '$name survives JSON and contains no API key',
    async ({ parameters, createResponse, item, malformedField, queryOptions }) => {
      const apiKey = 'secret-of-the-server'
      service.respond = () =>
        json(createResponse({ ...item, extra: null }, { ...item, ...malformedField }))
      const server = createServer({ apiKey })
      await server.queryClient.prefetchQuery(queryOptions(server, parameters))
      const state = dehydrate(server.queryClient)
      expect(state.queries).toHaveLength(1)
      const page = JSON.stringify(state)
      expect(page).not.toContain(apiKey)
      const data: unknown = state.queries[0]?.state.data
      // No `undefined`, bigint, date or class instance, which JSON does not restore.
      expect(JSON.parse(JSON.stringify(data))).toStrictEqual(data)
    },
  )

  it('is omitted when it failed, and the browser fetches it', async () => {
    const apiKey = 'secret-of-the-server'
    service.respond = (count) =>
      count === 1 ? json({ error: 'down' }, { status: 503 }) : json(tokenInfo(count))
    const server = createServer({ apiKey })
    expect(JSON.parse(await render(server))).toMatchObject({ queries: [] })
    expect(service.requests).toHaveLength(1)
    const everything = dehydrate(server.queryClient, { shouldDehydrateQuery: () => true })
    expect(everything.queries).toHaveLength(1)
    expect(JSON.stringify(everything)).not.toContain(apiKey)
    const browser = createBrowser()
    hydrate(browser.queryClient, JSON.parse(JSON.stringify(dehydrate(server.queryClient))))
    const { emitted } = watch(browser)
    await advance(0)
    expect(emitted.map(({ status }) => status)).toEqual(['pending', 'success'])
  })

  it('renders a failure as pending, and firstSettled reports it', async () => {
    service.respond = () => json({ error: 'down' }, { status: 503 })
    const server = createServer()
    const token = { chainId: 31337, address: 'native' }
    for (const stream of [
      watchTokenInfo(server, parameters),
      watchBalances(server, { address }),
      watchPortfolio(server, { address, chainIds: [1] }),
      watchPrice(server, token),
      watchPrices(server, [token]),
    ] as const) {
      const settled = firstSettled<Snapshot<unknown>>(stream)
      await advance(0)
      expect(await settled).toMatchObject({ status: 'error', error: { status: 503 } })
      expect(stream.getSnapshot()).toMatchObject({ status: 'pending', error: null })
    }
  })
})

describe('a listing rendered on a server', () => {
  const wallet = {
    ...balancesResponse(balance({ decimals: 0, price_usd: 2 }), balance({ chain_id: 1 })),
    request_time: '2026-01-01T00:00:00Z',
  }

  it('displays rows and portfolio without a request while it is fresh', async () => {
    service.respond = () => json(wallet)
    const server = createServer()
    await server.queryClient.prefetchQuery(balancesQueryOptions(server, { address }))
    const page = JSON.stringify(dehydrate(server.queryClient))
    server.destroy()
    const browser = createBrowser()
    hydrate(browser.queryClient, JSON.parse(page))
    expect(watchBalances(browser, { address }).getSnapshot()).toMatchObject({
      status: 'success',
      data: wallet.balances,
    })
    const emitted: unknown[] = []
    watchPortfolio(browser, { address }).subscribe(({ data }) => void emitted.push(data?.value_usd))
    watchBalances(browser, { address }).subscribe()
    await advance(9000)
    expect(emitted).toEqual([2])
    expect(service.requests).toHaveLength(1)
  })

  it('can be loaded to its end in one render, and leaves no timer', async () => {
    service.respond = (count) =>
      json({
        ...balancesResponse(balance({ chain_id: count })),
        ...(count < 3 && { next_offset: `${count}` }),
      })
    const server = createServer()
    const { fetchAll } = watchBalances(server, { address }).getSnapshot()
    await fetchAll()
    expect(watchBalances(server, { address }).getSnapshot().data).toHaveLength(3)
    expect(service.requests).toHaveLength(3)
    await advance(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a client on a server', () => {
  it('fetches once, never polls and keeps no timer', async () => {
    const { emitted, subscription } = watch(createServer())
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
    expect(vi.getTimerCount()).toBe(0)
    await advance(3_600_000)
    expect(service.requests).toHaveLength(1)
    subscription.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('aborts pending renders when it is destroyed', async () => {
    service.respond = never
    const server = createServer()
    const { emitted, stream } = watch(server)
    let completed = false
    stream.subscribe({ complete: () => (completed = true) })
    const other = { ...parameters, historicalPrices: [24] }
    const prefetch = server.queryClient.prefetchQuery(tokenInfoQueryOptions(server, other))
    await advance(0)
    expect(service.requests).toHaveLength(2)
    server.destroy()
    await expect(prefetch).resolves.toBeUndefined()
    expect(service.requests.map(({ signal }) => signal.aborted)).toEqual([true, true])
    expect(completed).toBe(true)
    expect(emitted).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(server.queryClient.getQueryCache().getAll()).toEqual([])
  })

  it('does not share data with other clients', async () => {
    const keys: (string | null)[] = []
    const { fetch } = service
    const spy = ((url: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('x-service-api-key'))
      return fetch(url, init)
    }) as typeof globalThis.fetch
    const one = createServer({ apiKey: 'one', fetch: spy })
    const two = createServer({ apiKey: 'two', fetch: spy })
    const pages = await Promise.all([render(one), render(two)])
    expect(keys).toEqual(['one', 'two'])
    expect(pages[0]).toContain('"price_usd":1')
    expect(pages[1]).toContain('"price_usd":2')
    one.destroy()
    expect(JSON.stringify(dehydrate(two.queryClient))).toContain('"price_usd":2')
  })

  it('leaves its responses in a cache that the app provided', async () => {
    const queryClient = new QueryClient()
    const server = createServer({ queryClient })
    await render(server)
    server.destroy()
    expect(dehydrate(queryClient).queries).toHaveLength(1)
  })
})
