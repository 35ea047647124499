import { focusManager, QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balances } from '../../test/balances.ts'
import { createFakeService, json } from '../../test/createFakeService.ts'
import { createPriceService, tokenAddress } from '../../test/createPriceService.ts'
import { createClient } from '../client/createClient.ts'
import type { Client, ClientOptions } from '../client/Client.ts'
import { watchPortfolio } from '../portfolio/watchPortfolio.ts'
import { watchPrices } from '../prices/watchPrices.ts'
import type { Pollable } from '../streams/Pollable.ts'
import { tokenInfoQueryOptions } from '../tokenInfo/tokenInfoQueryOptions.ts'
import { watchTokenInfo } from '../tokenInfo/watchTokenInfo.ts'
import { shareTabs } from './shareTabs.ts'

const parameters = { address: 'native', chainIds: [31337] as [number] }
const other = { ...parameters, chainIds: [31338] as [number] }
const tokenInfo = (price: number) => ({
  contract_address: 'native',
  tokens: [{ chain_id: 31337, chain: 'devnet', price_usd: price }],
})
const apiKey = 'secret-of-the-user'

let service: ReturnType<typeof createFakeService>
const clients: Client[] = []

/** A tab: a client that shares. Tabs of one process have real locks and channels in common, and a focus. */
function open(options: Partial<ClientOptions> = {}, group = 'tests') {
  const { fetch } = service
  const client = createClient({
    baseUrl: 'https://example.org',
    apiKey,
    fetch,
    ssr: false,
    ...options,
  })
  clients.push(client)
  return { client, stop: shareTabs(client, { group }) }
}

function watch(client: Client, what = parameters, refetchInterval?: number) {
  const prices: (number | undefined)[] = []
  const subscription = watchTokenInfo(
    client,
    what,
    refetchInterval === undefined ? {} : { refetchInterval },
  ).subscribe(({ status, data }) => {
    if (status === 'success') prices.push(data.tokens[0]?.price_usd)
  })
  return { prices, subscription }
}

/** Lets virtual time pass in steps between which real messages and locks arrive. */
async function pass(milliseconds: number) {
  for (let passed = 0; passed <= milliseconds; passed += 50) {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(passed === milliseconds ? 0 : 50)
  }
}

/** Who asked what, by number of the client. */
const asked = () => service.asked.map(({ url }) => (url.includes('31338') ? 'other' : 'same'))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  service = createFakeService()
  service.answer = (count) => json(tokenInfo(count))
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  focusManager.setFocused(undefined)
  await pass(50)
  expect((await navigator.locks.query()).held).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('tabs that share', () => {
  it('cost the units of one', async () => {
    const one = watch(open().client)
    await pass(100)
    const two = watch(open().client)
    const three = watch(open().client)
    await pass(60_000)
    expect(service.asked.length).toBeGreaterThanOrEqual(6)
    expect(service.asked.length).toBeLessThanOrEqual(7)
    expect(two.prices).toEqual(one.prices)
    expect(three.prices).toEqual(one.prices)
    expect(one.prices).toEqual(service.asked.map((_, index) => index + 1))
  })

  it('look at what they watch when that changed, and not at every answer', async () => {
    const { client } = open()
    watch(client, parameters, 1000)
    await pass(500)
    const watched = vi.spyOn(client.streams, 'watched')
    await pass(5000)
    expect(service.asked.length).toBeGreaterThan(3)
    expect(watched).not.toHaveBeenCalled()
    watch(client, other, 1000)
    await pass(100)
    expect(watched).toHaveBeenCalledOnce()
  })

  it('tell the leader of a shorter interval, and when nobody wants it any more', async () => {
    watch(open().client, parameters, 60_000)
    const { client } = open()
    watch(client, parameters, 60_000)
    await pass(1000)
    const { subscription } = watch(client, parameters, 1000)
    await pass(10_000)
    const { length } = service.asked
    expect(length).toBeGreaterThan(8)
    subscription.unsubscribe()
    await pass(10_000)
    expect(service.asked.length).toBeLessThanOrEqual(length + 1)
  })

  it('keep the pages below the first of a listing to themselves', async () => {
    service.answer = () => {
      const isBelow = service.asked.at(-1)?.url.includes('offset=')
      const row = balance({ chain_id: isBelow ? 2 : 1 })
      return json({ ...balances(row), ...(!isBelow && { next_offset: 'more' }) })
    }
    const one = open().client
    watchPortfolio(one, { address }).subscribe()
    const two = open().client
    await pass(1000)
    expect(watchPortfolio(one, { address }).getSnapshot()).toMatchObject({ data: { tokens: 2 } })
    const queries = two.queryClient.getQueryCache().getAll()
    expect(queries.map(({ queryKey }) => queryKey[2])).toEqual(['balances'])
    expect(JSON.stringify(queries[0]?.queryKey)).not.toContain('offset')
  })

  it('keep the time at which the leader learned it', async () => {
    const one = open().client
    watch(one)
    await pass(3000)
    const two = open().client
    watch(two)
    await pass(1000)
    const { queryKey } = tokenInfoQueryOptions(one, parameters)
    const updatedAt = one.queryClient.getQueryState(queryKey)?.dataUpdatedAt
    expect(two.queryClient.getQueryState(queryKey)?.dataUpdatedAt).toBe(updatedAt)
    expect(service.asked).toHaveLength(1)
  })

  it('have the leader poll what only another one watches, as often as that one wants', async () => {
    const one = open({ fetch: counting('one') })
    watch(one.client)
    await pass(100)
    const two = open({ fetch: counting('two') })
    const { prices, subscription } = watch(two.client, other, 3000)
    await pass(30_000)
    const others = by.filter(({ url }) => url.includes('31338'))
    expect(others.map(({ tab }) => tab).slice(0, 3)).toEqual(['two', 'one', 'one'])
    expect(others.filter(({ tab }) => tab === 'two')).toHaveLength(1)
    expect(others.length).toBeGreaterThanOrEqual(9)
    expect(others.length).toBeLessThanOrEqual(11)
    expect(prices).toHaveLength(others.length)
    subscription.unsubscribe()
    await pass(500)
    const before = by.length
    await pass(9000)
    expect(by.slice(before).filter(({ url }) => url.includes('31338'))).toEqual([])
  })

  it('have another leader at once when the leader is closed', async () => {
    const one = open()
    const { subscription } = watch(one.client)
    await pass(100)
    const two = open()
    const { prices } = watch(two.client)
    const three = open()
    watch(three.client, other)
    await pass(15_000)
    subscription.unsubscribe()
    one.client.destroy()
    const before = service.asked.length
    await pass(30_000)
    expect(prices.length).toBeGreaterThanOrEqual(4)
    const since = asked().slice(before)
    expect(since.filter((what) => what === 'same')).toHaveLength(3)
    expect(since.filter((what) => what === 'other')).toHaveLength(3)
  })

  it('poll by themselves while the leader is silent, and then one for all', async () => {
    // Somebody holds the lock and says nothing: a page that hangs.
    const { client: shape, stop } = open()
    await pass(100)
    const name = (await navigator.locks.query()).held
      ?.map((lock) => lock.name)
      .find((held) => held?.split('/').length === 4)
    stop()
    shape.destroy()
    await pass(50)
    let release: () => void = () => undefined
    void navigator.locks.request(name ?? '', () => new Promise<void>((done) => (release = done)))
    await pass(50)

    const one = watch(open().client)
    const two = watch(open().client)
    await pass(200)
    expect(service.asked.length).toBeLessThanOrEqual(2)
    const before = service.asked.length
    await pass(60_000)
    expect(one.prices.at(-1)).toBe(two.prices.at(-1))
    // At ten seconds and a grace of five to ten.
    expect(service.asked.length - before).toBeGreaterThanOrEqual(3)
    expect(service.asked.length - before).toBeLessThanOrEqual(4)
    release()
  })

  it('ask by themselves for what cannot be sent', async () => {
    const { client } = open()
    await pass(100)
    const { queryKey } = tokenInfoQueryOptions(client, parameters)
    client.queryClient.setQueryData(queryKey, { ...tokenInfo(7), show: () => 'no data' })
    const { prices } = watch(open().client)
    await pass(500)
    expect(prices).toEqual([1])
  })

  it('never share under another service, key or group', async () => {
    watch(open().client)
    await pass(100)
    watch(open({ apiKey: 'another' }).client)
    watch(open({ apiKeyHeader: 'X-Other' }).client)
    watch(open({ baseUrl: 'https://example.org/other' }).client)
    watch(open({}, 'another').client)
    await pass(500)
    expect(service.asked).toHaveLength(5)
    await pass(10_000)
    expect(service.asked).toHaveLength(10)
  })

  it('tell what they learned once, and not what they were told', async () => {
    const post = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
    watch(open().client)
    await pass(100)
    watch(open().client)
    watch(open().client)
    await pass(30_000)
    const messages = post.mock.calls as [{ type: string; to?: string }][]
    const answers = messages.filter(([{ type, to }]) => type === 'answers' && to === undefined)
    post.mockRestore()
    expect(answers).toHaveLength(service.asked.length)
  })

  it('never tell a key', async () => {
    const said: unknown[] = []
    const post = vi
      .spyOn(BroadcastChannel.prototype, 'postMessage')
      .mockImplementation((message: unknown) => void said.push(message))
    watch(open().client)
    await pass(15_000)
    post.mockRestore()
    const { held, pending } = await navigator.locks.query()
    const names = [...(held ?? []), ...(pending ?? [])].map(({ name }) => name)
    expect(JSON.stringify(said)).toContain('"price_usd":1')
    expect(names.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify([said, names])).not.toContain(apiKey)
  })
})

describe('sharing', () => {
  it('is not asked for twice when a component is rendered twice', async () => {
    const { client, stop } = open()
    const again = shareTabs(client, { group: 'tests' })
    await pass(100)
    expect((await navigator.locks.query()).held).toHaveLength(2)
    stop()
    stop()
    await pass(100)
    expect((await navigator.locks.query()).held).toHaveLength(2)
    again()
    await pass(100)
    expect((await navigator.locks.query()).held).toEqual([])
  })

  it('delays the first request of the only tab by no time that is felt', async () => {
    const { client } = open()
    watch(client)
    await pass(50)
    expect(service.asked).toHaveLength(1)
  })

  it('asks for a component that is rendered twice while it waits for the leader', async () => {
    const { client } = open()
    watch(client).subscription.unsubscribe()
    const { prices } = watch(client)
    await pass(300)
    expect(prices).toEqual([1])
  })

  it('knows what the leader knows in a page that is opened in the background too', async () => {
    watch(open().client)
    await pass(1000)
    const hidden = vi.spyOn(focusManager, 'isFocused').mockReturnValue(false)
    const { client } = open()
    hidden.mockRestore()
    const { prices } = watch(client)
    await pass(300)
    expect(prices).toEqual([1])
    expect(service.asked).toHaveLength(1)
  })

  it('asks nothing more when its client is destroyed, though something is due', async () => {
    const one = open()
    watch(one.client)
    await pass(1000)
    const two = open()
    watch(two.client)
    await pass(1000)
    vi.setSystemTime(Date.now() + 3_600_000)
    two.client.destroy()
    one.client.destroy()
    two.stop()
    await pass(1000)
    expect(service.asked).toHaveLength(1)
  })

  it('ends for a tab that then polls by itself', async () => {
    watch(open().client)
    await pass(1000)
    const two = open()
    const { prices } = watch(two.client)
    await pass(1000)
    two.stop()
    await pass(10_000)
    expect(service.asked).toHaveLength(3)
    expect(prices.length).toBe(2)
  })

  it('counts what two tabs watch once for the budget of the leader', async () => {
    const stretched = vi.fn()
    const one = open()
    const { stretch } = one.client.ledger
    vi.spyOn(one.client.ledger, 'stretch').mockImplementation((demand) => {
      stretched(Math.round(demand()))
      return stretch.call(one.client.ledger, demand)
    })
    watch(one.client)
    await pass(100)
    watch(open().client)
    watch(open().client)
    await pass(12_000)
    // Two units of a token's price, six times a minute.
    expect(new Set(stretched.mock.calls.flat())).toEqual(new Set([12]))
  })

  it('asks nothing for who left meanwhile', async () => {
    const { client } = open()
    watch(client).subscription.unsubscribe()
    client.destroy()
    await pass(300)
    expect(service.asked).toHaveLength(0)
  })

  it('rests while hidden, and asks once for all on return', async () => {
    watch(open().client)
    watch(open().client)
    await pass(1000)
    expect(service.asked).toHaveLength(1)
    focusManager.setFocused(false)
    await pass(60_000)
    expect(service.asked).toHaveLength(1)
    expect((await navigator.locks.query()).held).toEqual([])
    focusManager.setFocused(true)
    await pass(1000)
    expect(service.asked).toHaveLength(2)
    await pass(20_000)
    expect(service.asked).toHaveLength(4)
  })

  it('does nothing on a server and where there are no locks', async () => {
    shareTabs(clientOf({ ssr: true }))
    vi.stubGlobal('navigator', {})
    shareTabs(clientOf({ ssr: false }))
    vi.stubGlobal('navigator', undefined)
    shareTabs(clientOf({ ssr: false }))()
    vi.unstubAllGlobals()
    await pass(100)
    expect((await navigator.locks.query()).held).toEqual([])
  })

  it('ends where locks are refused, as in a sandbox', async () => {
    const request = vi.spyOn(navigator.locks, 'request').mockRejectedValue(new Error('insecure'))
    const { prices } = watch(open().client)
    await pass(15_000)
    request.mockRestore()
    expect(prices).toEqual([1, 2])
  })

  it('leaves a cache alone that was there before, where that knows better', async () => {
    const queryClient = new QueryClient()
    const client = clientOf({ queryClient, ssr: false })
    const { queryKey } = tokenInfoQueryOptions(client, parameters)
    const one = open()
    watch(one.client)
    await pass(1000)
    queryClient.setQueryData(queryKey, tokenInfo(99))
    shareTabs(client, { group: 'tests' })
    await pass(1000)
    expect(queryClient.getQueryData(queryKey)).toMatchObject(tokenInfo(99))
    queryClient.clear()
  })
})

describe('a message that makes no sense', () => {
  const nonsense = [
    null,
    7,
    'text',
    [],
    {},
    { from: 1, type: 'hello' },
    { from: 'x', type: 'unknown' },
    { from: 'x', type: 'watch', interests: 'all' },
    { from: 'x', type: 'watch', interests: [null, { operation: 'balances' }] },
    {
      from: 'x',
      type: 'watch',
      interests: [
        { operation: 'toString', parameters, interval: 1000 },
        { operation: 'tokenInfo', parameters: { address: 'wrong' }, interval: 1000 },
        { operation: 'tokenInfo', parameters, interval: 0 },
        { operation: 'tokenInfo', parameters, interval: Number.NaN },
      ],
    },
    { from: 'x', type: 'answers', answers: {} },
    {
      from: 'x',
      type: 'answers',
      answers: [
        { operation: 'tokenInfo', parameters, data: { tokens: 7 }, updatedAt: 4e12 },
        { operation: 'tokenInfo', parameters, data: [], updatedAt: 4e12 },
        { operation: 'tokenInfo', parameters, data: tokenInfo(666), updatedAt: '1' },
        { operation: '__proto__', parameters, data: tokenInfo(666), updatedAt: 4e12 },
        { operation: 'tokenInfo', parameters: { x: 1 }, data: tokenInfo(666), updatedAt: 4e12 },
      ],
    },
  ]

  it('changes nothing', async () => {
    let name = ''
    const Original = BroadcastChannel
    vi.stubGlobal(
      'BroadcastChannel',
      class extends Original {
        constructor(given: string) {
          super(given)
          name = given
        }
      },
    )
    const { client } = open()
    vi.unstubAllGlobals()
    const { prices } = watch(client)
    await pass(100)
    const stranger = new BroadcastChannel(name)
    for (const message of nonsense) stranger.postMessage(message)
    await pass(5000)
    expect(prices).toEqual([1])
    expect(service.asked).toHaveLength(1)
    // So that it is known that the stranger was heard.
    const [answer] = [
      { operation: 'tokenInfo', parameters, data: tokenInfo(5), updatedAt: Date.now() },
    ]
    stranger.postMessage({ from: 'x', type: 'answers', answers: [answer] })
    await pass(100)
    stranger.close()
    expect(prices).toEqual([1, 5])
  })
})

const by: { tab: string; url: string }[] = []
beforeEach(() => void by.splice(0))
function counting(tab: string): typeof globalThis.fetch {
  const { fetch } = service
  return ((url: string, init: RequestInit) => {
    by.push({ tab, url })
    return fetch(url, init)
  }) as typeof globalThis.fetch
}

function clientOf(options: Partial<ClientOptions>): Client {
  const client = createClient({
    baseUrl: 'https://example.org',
    apiKey,
    fetch: service.fetch,
    ...options,
  })
  clients.push(client)
  return client
}

describe('what is polled that is no question of the leader', () => {
  /** As prices are: each tab decides by itself how to learn them. */
  function poll(client: Client) {
    const { queryKey, ...query } = tokenInfoQueryOptions(client, parameters)
    const asks: number[] = []
    const entry: Pollable = {
      interval: 10_000,
      cost: 2,
      get state() {
        return client.queryClient.getQueryState(queryKey)
      },
      async refetch() {
        asks.push(Date.now())
        await client.queryClient.prefetchQuery({ ...query, queryKey, staleTime: 0 })
        client.streams.poller.update(entry)
      },
    }
    void entry.refetch().then(() => client.streams.poller.add(entry))
    const stop = client.queryClient
      .getQueryCache()
      .subscribe(() => client.streams.poller.update(entry))
    client.onDestroy(() => {
      stop()
      client.streams.poller.remove(entry)
    })
    return asks
  }

  it('is polled by one tab when two do', async () => {
    poll(open().client)
    await pass(100)
    const asks = poll(open().client)
    await pass(60_000)
    expect(asks).toHaveLength(1)
    expect(service.asked.length).toBeLessThanOrEqual(8)
  })

  it('is polled by one tab when two do, though answers take long', async () => {
    service.answer = (count) =>
      new Promise((resolve) => setTimeout(() => resolve(json(tokenInfo(count))), 2000))
    poll(open().client)
    await pass(500)
    const asks = poll(open().client)
    await pass(60_000)
    // One at first, and one until it is seen that the other asks the same.
    expect(asks.length).toBeLessThanOrEqual(2)
  })

  it('is polled on time by the tab that alone does', async () => {
    open()
    await pass(100)
    const asks = poll(open().client)
    await pass(60_000)
    const waits = asks.slice(1).map((time, index) => time - (asks[index] ?? 0))
    expect(waits.length).toBeGreaterThanOrEqual(5)
    expect(Math.max(...waits)).toBeLessThanOrEqual(11_100)
  })
})

describe('prices', () => {
  it('of a dashboard in two tabs cost the units of one', async () => {
    const prices = createPriceService()
    const tokens = [1, 2, 3].map((number) => ({ chainId: 1, address: tokenAddress(number) }))
    for (const { address } of tokens) prices.prices.set(`1/${address}`, 5)
    const dashboard = async () => {
      const { client } = open({ fetch: prices.fetch })
      const ticks: unknown[] = []
      watchPrices(client, tokens).subscribe(({ data }) => void ticks.push(data?.[2]?.price_usd))
      await pass(1000)
      return ticks
    }
    await dashboard()
    const { units } = prices
    const second = await dashboard()
    expect(prices.units).toBe(units)
    expect(second.at(-1)).toBe(5)
    await pass(30_000)
    prices.prices.set(`1/${tokens[2]?.address}`, 6)
    await pass(30_000)
    expect(second.at(-1)).toBe(6)
    // At first, and then six rounds of one tab.
    expect(prices.units).toBeLessThanOrEqual(8 * units)
  })
})
