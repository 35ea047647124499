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
import { pass, record } from './clientsInFakeTime.ts'
import { json, never } from './createFakeService.ts'
import { operationExamples } from './operations.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'
import { parameters, tokenInfo } from './tokenInfo.ts'

const { service, create } = serviceInFakeTime((count) => json(tokenInfo(count)))
const createServer = (options: Partial<ClientOptions> = {}) => create({ ssr: true, ...options })
const createBrowser = create

/** What reaches the browser, in the page. */
async function render(client: Client): Promise<string> {
  await client.queryClient.prefetchQuery(tokenInfoQueryOptions(client, parameters))
  return JSON.stringify(dehydrate(client.queryClient))
}

const watch = (client: Client) => record(watchTokenInfo(client, parameters))

describe('what a server rendered', () => {
  it('shows at once in the browser and asks nothing while it is fresh', async () => {
    const page = await render(createServer())
    await pass(3000)
    const browser = createBrowser()
    hydrate(browser.queryClient, JSON.parse(page))
    const { seen, stream } = watch(browser)
    expect(seen).toEqual([stream.getSnapshot()])
    expect(seen[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    await pass(6800)
    expect(service.asked).toHaveLength(1)
    await pass(400)
    expect(service.asked).toHaveLength(2)
    expect(seen.map(({ data }) => data)).toEqual([tokenInfo(1), tokenInfo(2)])
  })

  it('shows at once and is asked anew when it was long on its way', async () => {
    const page = await render(createServer())
    await pass(60_000)
    const browser = createBrowser()
    hydrate(browser.queryClient, JSON.parse(page))
    const { seen } = watch(browser)
    expect(seen[0]).toMatchObject({ status: 'success', data: tokenInfo(1) })
    await pass(0)
    expect(service.asked).toHaveLength(2)
    expect(seen).toHaveLength(2)
  })

  it('is not taken for newer than what the browser knows by then', async () => {
    const page = await render(createServer())
    await pass(1000)
    const browser = createBrowser()
    const { seen } = watch(browser)
    await pass(0)
    hydrate(browser.queryClient, JSON.parse(page))
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ data: tokenInfo(2) })
  })

  it('goes over while it is still awaited, and is not asked for again', async () => {
    service.answer = () =>
      new Promise((resolve) => setTimeout(() => resolve(json(tokenInfo(7))), 500))
    const server = createServer()
    void server.queryClient.prefetchQuery(tokenInfoQueryOptions(server, parameters))
    const state = dehydrate(server.queryClient, { shouldDehydrateQuery: () => true })
    const browser = createBrowser()
    hydrate(browser.queryClient, state)
    const { seen } = watch(browser)
    expect(seen.map(({ status }) => status)).toEqual(['pending'])
    await pass(600)
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: tokenInfo(7) })
    expect(service.asked).toHaveLength(1)
  })

  it.each(operationExamples)(
    'survives JSON and holds no key: $name',
    async ({ parameters, answer, item, malformedField, queryOptions }) => {
      const apiKey = 'secret-of-the-server'
      service.answer = () => json(answer({ ...item, extra: null }, { ...item, ...malformedField }))
      const server = createServer({ apiKey })
      await server.queryClient.prefetchQuery(queryOptions(server, parameters))
      const state = dehydrate(server.queryClient)
      expect(state.queries).toHaveLength(1)
      const page = JSON.stringify(state)
      expect(page).not.toContain(apiKey)
      const data: unknown = state.queries[0]?.state.data
      // No `undefined`, bigint, date or class, which would not come back as they went.
      expect(JSON.parse(JSON.stringify(data))).toStrictEqual(data)
    },
  )

  it('leaves out what failed, which the browser asks for itself', async () => {
    const apiKey = 'secret-of-the-server'
    service.answer = (count) =>
      count === 1 ? json({ error: 'down' }, { status: 503 }) : json(tokenInfo(count))
    const server = createServer({ apiKey })
    expect(JSON.parse(await render(server))).toMatchObject({ queries: [] })
    expect(service.asked).toHaveLength(1)
    const everything = dehydrate(server.queryClient, { shouldDehydrateQuery: () => true })
    expect(everything.queries).toHaveLength(1)
    expect(JSON.stringify(everything)).not.toContain(apiKey)
    const browser = createBrowser()
    hydrate(browser.queryClient, JSON.parse(JSON.stringify(dehydrate(server.queryClient))))
    const { seen } = watch(browser)
    await pass(0)
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'success'])
  })

  it('shows a failure as the browser will begin, and tells of it whoever waits', async () => {
    service.answer = () => json({ error: 'down' }, { status: 503 })
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
      await pass(0)
      expect(await settled).toMatchObject({ status: 'error', error: { status: 503 } })
      expect(stream.getSnapshot()).toMatchObject({ status: 'pending', error: null })
    }
  })
})

describe('a listing that a server rendered', () => {
  const wallet = {
    ...balancesResponse(balance({ decimals: 0, price_usd: 2 }), balance({ chain_id: 1 })),
    request_time: '2026-01-01T00:00:00Z',
  }

  it('shows its rows and what they are worth at once, and asks nothing while it is fresh', async () => {
    service.answer = () => json(wallet)
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
    const seen: unknown[] = []
    watchPortfolio(browser, { address }).subscribe(({ data }) => void seen.push(data?.value_usd))
    watchBalances(browser, { address }).subscribe()
    await pass(9000)
    expect(seen).toEqual([2])
    expect(service.asked).toHaveLength(1)
  })

  it('is read to its end in one render, with nothing left behind', async () => {
    service.answer = (count) =>
      json({
        ...balancesResponse(balance({ chain_id: count })),
        ...(count < 3 && { next_offset: `${count}` }),
      })
    const server = createServer()
    const { fetchAll } = watchBalances(server, { address }).getSnapshot()
    await fetchAll()
    expect(watchBalances(server, { address }).getSnapshot().data).toHaveLength(3)
    expect(service.asked).toHaveLength(3)
    await pass(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a server', () => {
  it('asks once, polls never and keeps no timer', async () => {
    const { seen, subscription } = watch(createServer())
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
    expect(vi.getTimerCount()).toBe(0)
    await pass(3_600_000)
    expect(service.asked).toHaveLength(1)
    subscription.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('lets go of renders in flight when their client is destroyed', async () => {
    service.answer = never
    const server = createServer()
    const { seen, stream } = watch(server)
    let completed = false
    stream.subscribe({ complete: () => (completed = true) })
    const other = { ...parameters, historicalPrices: [24] }
    const prefetch = server.queryClient.prefetchQuery(tokenInfoQueryOptions(server, other))
    await pass(0)
    expect(service.asked).toHaveLength(2)
    server.destroy()
    await expect(prefetch).resolves.toBeUndefined()
    expect(service.asked.map(({ signal }) => signal.aborted)).toEqual([true, true])
    expect(completed).toBe(true)
    expect(seen).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(server.queryClient.getQueryCache().getAll()).toEqual([])
  })

  it('has a client a request, and none sees what is of another', async () => {
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

  it('may share a cache of the app, and leaves in it what it brought', async () => {
    const queryClient = new QueryClient()
    const server = createServer({ queryClient })
    await render(server)
    server.destroy()
    expect(dehydrate(queryClient).queries).toHaveLength(1)
  })
})
