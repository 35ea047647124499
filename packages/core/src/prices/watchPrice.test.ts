import { dehydrate, focusManager, hydrate, QueryClient } from '@tanstack/query-core'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { balance, balances, otherAddress, address as wallet } from '../../test/balances.ts'
import { clientsInFakeTime, pass } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { createPriceService, tokenAddress } from '../../test/createPriceService.ts'
import { getBalances } from '../balances/getBalances.ts'
import { watchBalances } from '../balances/watchBalances.ts'
import type { Client } from '../client/Client.ts'
import type { Snapshot } from '../streams/Snapshot.ts'
import { getTokenBalance } from '../tokenBalance/getTokenBalance.ts'
import { watchTokenBalance } from '../tokenBalance/watchTokenBalance.ts'
import { getTokenInfo } from '../tokenInfo/getTokenInfo.ts'
import { watchTokenInfo } from '../tokenInfo/watchTokenInfo.ts'
import { priceIndexOf } from './createPriceIndex.ts'
import type { PriceTick } from './PriceTick.ts'
import { watchPrice } from './watchPrice.ts'
import { watchPrices, type PriceList } from './watchPrices.ts'
import type { WatchPriceOptions } from './WatchPriceOptions.ts'

let service: ReturnType<typeof createPriceService>
const create = clientsInFakeTime(() => service.fetch)
const token = (number = 1, chainId = 1) => ({ chainId, address: tokenAddress(number) })
const keyOf = ({ chainId, address }: { chainId: number; address: string }) =>
  `${chainId}/${address}`

function watch(client = create(), of = token(), options: WatchPriceOptions<PriceTick> = {}) {
  const seen: Snapshot<PriceTick>[] = []
  const stream = watchPrice(client, of, options)
  const subscription = stream.subscribe((snapshot) => void seen.push(snapshot))
  return { seen, subscription, stream }
}

function watchAll(client: Client, tokens = [token()], options: WatchPriceOptions<PriceList> = {}) {
  const seen: Snapshot<PriceList>[] = []
  const subscription = watchPrices(client, tokens, options).subscribe(
    (snapshot) => void seen.push(snapshot),
  )
  return { seen, subscription }
}

beforeEach(() => {
  service = createPriceService()
  for (const chainId of [1, 10]) {
    for (let number = 1; number <= 40; number++) {
      service.prices.set(keyOf(token(number, chainId)), number)
    }
  }
})

/** Lets a wallet hold tokens of a chain. */
function hold(numbers: number[], chainIds = [1], of = wallet) {
  const held = service.wallets.get(of) ?? new Set()
  service.wallets.set(of, held)
  for (const chainId of chainIds) for (const each of numbers) held.add(keyOf(token(each, chainId)))
}
const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1)
const operations = () => service.asked.map(({ operation }) => operation)

describe('a price that nothing else tells', () => {
  it('is asked for as a single balance, and again after the interval', async () => {
    const { seen } = watch()
    expect(seen).toMatchObject([{ status: 'pending', data: undefined }])
    await pass(0)
    expect(seen.at(-1)).toMatchObject({
      status: 'success',
      data: { price_usd: 1, source: 'tokenBalance', lowLiquidity: false, observedAt: Date.now() },
    })
    service.prices.set(keyOf(token()), 2)
    await pass(10_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(2)
    expect(operations()).toEqual(['tokenBalance', 'tokenBalance'])
    expect(seen).toHaveLength(3)
  })

  it('emits nothing while it stays the same', async () => {
    const { seen, stream } = watch()
    await pass(60_100)
    expect(service.asked).toHaveLength(7)
    expect(seen).toHaveLength(2)
    expect(stream.getSnapshot()).toBe(seen.at(-1))
  })

  it('is one request and one emission a round for a thousand streams of it', async () => {
    const client = create()
    // A thousand subscribers of one stream, and a thousand streams that differ.
    const one = upTo(1000).map(() => watch(client))
    const many = upTo(1000).map((each) => watch(client, token(), { staleTime: 10_000 + each }))
    await pass(0)
    service.prices.set(keyOf(token()), 2)
    await pass(10_000)
    expect(service.asked).toHaveLength(2)
    for (const { seen } of [...one, ...many]) {
      expect(seen.map(({ data }) => data?.price_usd)).toEqual([undefined, 1, 2])
    }
    expect(new Set(one.map(({ stream }) => stream)).size).toBe(1)
    expect(vi.getTimerCount()).toBeLessThan(10)
  })

  it('is asked for at the shortest interval that anybody wants', async () => {
    const client = create()
    watch(client, token(), { refetchInterval: 60_000 })
    await pass(0)
    const { subscription } = watch(client, token(), { refetchInterval: 5000 })
    await pass(20_100)
    expect(service.asked).toHaveLength(5)
    subscription.unsubscribe()
    await pass(40_000)
    expect(service.asked).toHaveLength(5)
  })

  it.each([false, 0] as (number | false)[])(
    'is not polled at an interval of %s',
    async (refetchInterval) => {
      watch(create(), token(), { refetchInterval })
      await pass(60_000)
      expect(service.asked).toHaveLength(1)
    },
  )

  it('is asked for by nobody who is not enabled, who sees all the same what others learn', async () => {
    const client = create()
    const { seen } = watch(client, token(), { enabled: false })
    await pass(30_000)
    expect(service.asked).toHaveLength(0)
    watch(client)
    await pass(0)
    expect(seen.map(({ data }) => data?.price_usd)).toEqual([undefined, 1])
  })

  it('replays synchronously, and is not asked for again while it is fresh', async () => {
    const client = create()
    watch(client).subscription.unsubscribe()
    await pass(5000)
    expect(watch(client).seen).toMatchObject([{ status: 'success', data: { price_usd: 1 } }])
    await pass(0)
    expect(service.asked).toHaveLength(1)
    await pass(6000)
    expect(service.asked).toHaveLength(2)
  })

  it('is fresh for as long as the query client says, unless its own options say otherwise', async () => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
    const client = create({ queryClient })
    for (const staleTime of [undefined, undefined, 1000]) {
      watch(client, token(), {
        refetchInterval: false,
        ...(staleTime !== undefined && { staleTime }),
      }).subscription.unsubscribe()
      await pass(3_600_000)
      expect(service.asked).toHaveLength(staleTime === undefined ? 1 : 2)
    }
  })

  it('is left alone when nobody watches, and leaves no timer', async () => {
    const client = create()
    const { subscription } = watch(client, token(), { historicalPrices: [1, 24, 48, 72] })
    watchAll(client, [token(), token(2)]).subscription.unsubscribe()
    await pass(0)
    subscription.unsubscribe()
    client.queryClient.clear()
    expect(vi.getTimerCount()).toBe(0)
    const { length } = service.asked
    await pass(60_000)
    expect(service.asked).toHaveLength(length)
  })

  it('rests while the page is hidden, and is asked for once on return', async () => {
    watch()
    await pass(0)
    focusManager.setFocused(false)
    await pass(60_000)
    expect(service.asked).toHaveLength(1)
    focusManager.setFocused(true)
    await pass(0)
    expect(service.asked).toHaveLength(2)
  })

  it('is asked for once, and never polled, on a server', async () => {
    const { seen } = watch(create({ ssr: true }))
    await pass(0)
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
    await pass(60_000)
    expect(service.asked).toHaveLength(1)
  })

  it('completes with its client, and aborts what is under way', async () => {
    service.delay = () => 5000
    const client = create({ queryClient: new QueryClient() })
    const complete = vi.fn()
    watchPrice(client, token()).subscribe({ complete })
    await pass(100)
    client.destroy()
    expect(complete).toHaveBeenCalledOnce()
    await pass(10_000)
    expect(client.queryClient.isFetching()).toBe(0)
    expect(watch(client).seen).toMatchObject([{ status: 'error', data: undefined }])
    expect(service.asked).toHaveLength(1)
  })

  it('asks again by `refetch`, and joins what is under way', async () => {
    service.delay = () => 100
    const { seen } = watch()
    await pass(200)
    service.prices.set(keyOf(token()), 3)
    const [first, second] = [seen.at(-1)?.refetch(), seen.at(-1)?.refetch()]
    await pass(100)
    await Promise.all([first, second])
    expect(seen.at(-1)?.data?.price_usd).toBe(3)
    expect(service.asked).toHaveLength(2)
  })

  it('takes `select` and `placeholderData` as all streams do', async () => {
    const seen: Snapshot<number | undefined>[] = []
    watchPrice(create(), token(), {
      select: ({ price_usd }) => price_usd,
      placeholderData: { price_usd: 7, observedAt: 0, source: 'balances', lowLiquidity: false },
    }).subscribe((snapshot) => void seen.push(snapshot))
    await pass(0)
    expect(seen).toMatchObject([
      { data: 7, isPlaceholderData: true },
      { data: 1, isPlaceholderData: false },
    ])
  })
})

describe('a price that a wallet tells', () => {
  it('costs nothing while the wallet is polled as often', async () => {
    hold(upTo(40), [1])
    const client = create()
    const seen = upTo(40).map((each) => watch(client, token(each)).seen)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(60_100)
    expect(operations()).toEqual(Array.from({ length: 7 }, () => 'balances'))
    expect(service.units).toBe(7)
    expect(seen.map((each) => each.at(-1)?.data?.price_usd)).toEqual(upTo(40))
    expect(seen[0]?.at(-1)?.data?.source).toBe('balances')
    // Nor is it counted as a demand on the budget.
    expect(priceIndexOf(client).price(1, tokenAddress(1)).cost).toBe(0)
  })

  it('waits for a wallet whose answer is under way, but not for long', async () => {
    hold([1])
    service.delay = ({ operation }) => (operation === 'balances' ? 60_000 : 0)
    const client = create()
    const { seen } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(2900)
    expect(operations()).toEqual(['balances'])
    await pass(200)
    expect(operations()).toEqual(['balances', 'tokenBalance'])
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
  })

  it('waits for no answer that cannot tell it', async () => {
    service.delay = ({ operation, tokens }) =>
      operation === 'tokenBalance' && tokens.includes(keyOf(token())) ? 0 : 2000
    const client = create()
    const { seen } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [10] }).subscribe()
    watchTokenInfo(client, { address: tokenAddress(2), chainIds: [1] }).subscribe()
    await pass(0)
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
  })

  it('is asked for beside a wallet that is polled less often', async () => {
    hold(upTo(5))
    const client = create()
    for (const each of upTo(5)) watch(client, token(each))
    watchBalances(
      client,
      { address: wallet, chainIds: [1] },
      { refetchInterval: 60_000 },
    ).subscribe()
    await pass(50_100)
    // One unit a round for all five: of the wallet that is known, not of each token.
    expect(operations()).toEqual(Array.from({ length: 6 }, () => 'balances'))
    expect(service.units).toBe(6)
    expect(priceIndexOf(client).price(1, tokenAddress(1)).cost).toBe(1 / 5)
  })

  it('is asked for on the chains where prices are due only', async () => {
    hold(upTo(3), [1, 10])
    const client = create()
    priceIndexOf(client)
    await getBalances(client, { address: wallet, chainIds: [1, 10] })
    for (const each of [2, 3]) watch(client, token(each, 10))
    await pass(0)
    // The promise told it.
    expect(service.asked).toHaveLength(1)
    await pass(10_000)
    expect(service.asked.slice(1)).toMatchObject([
      { operation: 'balances', chainIds: [10], units: 1 },
    ])
  })

  it('brings prices that are due at different times together', async () => {
    hold(upTo(10))
    const client = create()
    watch(client, token(1))
    await pass(0)
    await getBalances(client, { address: wallet, chainIds: [1] })
    for (const each of upTo(10)) {
      watch(client, token(each))
      await pass(900)
    }
    const { units } = service
    await pass(60_000)
    expect(service.units - units).toBeLessThanOrEqual(7)
  })

  it('is asked for by itself once the wallet holds it no longer', async () => {
    hold([1, 2])
    const client = create()
    const { seen } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(0)
    expect(service.units).toBe(1)
    service.wallets.get(wallet)?.delete(keyOf(token()))
    service.prices.set(keyOf(token()), 5)
    await pass(10_100)
    expect(seen.at(-1)?.data?.price_usd).toBe(5)
    expect(operations()).toEqual(['balances', 'balances', 'tokenBalance'])
  })

  it('is asked for by itself when the service refuses the wallet for good', async () => {
    hold([1, 2])
    const client = create()
    priceIndexOf(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    service.instead = ({ operation }) =>
      operation === 'balances' ? json({ error: 'No' }, { status: 404 }) : undefined
    const { seen } = watch(client)
    watch(client, token(2))
    service.prices.set(keyOf(token()), 5)
    await pass(60_000)
    expect(seen.map(({ data }) => data?.price_usd)).toContain(5)
    expect(operations()).toContain('tokenBalance')
  })

  it.each([500, 429])('stays with its wallet through an outage of status %i', async (status) => {
    hold(upTo(40))
    const client = create()
    priceIndexOf(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    const tokens = upTo(40).map((each) => token(each))
    const { seen } = watchAll(client, tokens)
    service.instead = () => json({ error: 'No' }, { status })
    await pass(5 * 60_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status } })
    service.instead = () => undefined
    service.prices.set(keyOf(token()), 5)
    await pass(6 * 60_000)
    expect(seen.at(-1)?.data?.[0]?.price_usd).toBe(5)
    expect(new Set(operations())).toEqual(new Set(['balances']))
  })

  it.each(['tokenInfo', 'tokenBalance'] as const)(
    'costs nothing beside a stream of its %s',
    async (operation) => {
      const client = create()
      const { chainId, address } = token()
      watch(client)
      if (operation === 'tokenInfo')
        watchTokenInfo(client, { address, chainIds: [chainId] }).subscribe()
      else
        watchTokenBalance(client, {
          address: wallet,
          tokenAddress: address,
          chainIds: [chainId],
        }).subscribe()
      await pass(30_100)
      expect(operations()).toEqual(Array.from({ length: 4 }, () => operation))
    },
  )
})

describe('what is known of prices', () => {
  const key = (address = wallet) => [
    'headwater',
    'https://example.org',
    'balances',
    { address, limit: 1000 },
  ]
  const answer = (price: number, time?: number) => ({
    ...balances(balance({ chain_id: 1, address: token().address, price_usd: price, pool_size: 5 })),
    ...(time !== undefined && { response_time: new Date(time).toISOString() }),
  })

  it('is read from what the cache holds at the start', () => {
    const client = create()
    client.queryClient.setQueryData(key(), answer(9))
    expect(watchPrice(client, token()).getSnapshot()).toMatchObject({
      status: 'success',
      data: { price_usd: 9, source: 'balances', lowLiquidity: true, observedAt: Date.now() },
    })
  })

  it('is learned from what comes to the cache later: hydration, persistence, other tabs', async () => {
    const client = create()
    const { seen } = watch(client, token(), { enabled: false })
    const server = new QueryClient()
    server.setQueryData(key(), answer(9))
    hydrate(client.queryClient, dehydrate(server))
    expect(seen.at(-1)?.data?.price_usd).toBe(9)
    await pass(1)
    client.queryClient.setQueryData(key(otherAddress), answer(8))
    expect(seen.at(-1)?.data?.price_usd).toBe(8)
    await pass(1)
    server.setQueryData(key(), answer(7))
    hydrate(client.queryClient, dehydrate(server))
    expect(seen.map(({ data }) => data?.price_usd)).toEqual([undefined, 9, 8, 7])
    server.clear()
  })

  it('is what a server rendered, and nothing is asked for it again', async () => {
    const server = create({ ssr: true })
    watch(server).subscription.unsubscribe()
    await pass(0)
    const client = create()
    hydrate(client.queryClient, dehydrate(server.queryClient))
    expect(watch(client).seen).toMatchObject([{ status: 'success', data: { price_usd: 1 } }])
    await pass(0)
    expect(service.asked).toHaveLength(1)
  })

  it('is not what a persister kept of an earlier visit, when it is asked for', async () => {
    const persister = () => Promise.resolve(answer(9))
    const queryClient = new QueryClient({ defaultOptions: { queries: { persister } } })
    const { seen } = watch(create({ queryClient }))
    await pass(0)
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
  })

  it('is at most ten thousand prices, of which those longest known are forgotten', async () => {
    const client = create()
    const { seen } = watch(client, token(), { enabled: false })
    const rows = upTo(12_000).map((each) =>
      balance({ chain_id: 1, address: tokenAddress(each), price_usd: each }),
    )
    client.queryClient.setQueryData(key(), balances(...rows))
    const isKnown = (each: number) =>
      watchPrice(client, token(each), { enabled: false }).getSnapshot().data !== undefined
    expect([2, 1999, 4000, 12_000].map(isKnown)).toEqual([false, false, true, true])
    // Somebody watches it.
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
    const oldAndNew = [token(4000), ...upTo(9000).map((each) => token(each + 12_000))]
    const all = watchAll(client, oldAndNew, { enabled: false })
    const row = balance({ chain_id: 1, address: tokenAddress(4000), price_usd: 7 })
    await pass(1)
    client.queryClient.setQueryData(key(otherAddress), balances(row))
    expect(all.seen.at(-1)?.data?.[0]?.price_usd).toBe(7)
  })

  it('belongs to one service', () => {
    const client = create()
    client.queryClient.setQueryData(
      ['headwater', 'https://other.example', 'balances', {}],
      answer(9),
    )
    client.queryClient.setQueryData(
      ['headwater', 'https://example.org', 'balances', {}],
      'nonsense',
    )
    expect(watchPrice(client, token()).getSnapshot().status).toBe('pending')
  })

  it('takes each answer once', async () => {
    const client = create()
    const { chainId, address } = token()
    watch(client, token(), { enabled: false })
    const price = priceIndexOf(client).price(chainId, address)
    hold([1])
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(0)
    expect(price.told).toBe(1)
    await pass(10_000)
    expect(price.told).toBe(2)
  })

  it('knows a token that is listed without a price to have none', async () => {
    service.prices.set(keyOf(token()), undefined)
    const { seen } = watch()
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'success', error: null })
    expect(seen.at(-1)?.data).not.toHaveProperty('price_usd')
    service.prices.set(keyOf(token()), 4)
    await pass(10_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(4)
  })

  it('tells the liquidity by the word of the service, else by the size of the pool', async () => {
    service.row = (row) => ({ ...row, pool_size: 9999 })
    const { seen } = watch()
    await pass(0)
    expect(seen.at(-1)?.data?.lowLiquidity).toBe(true)
    service.row = (row) => ({ ...row, pool_size: 9999, low_liquidity: false })
    await pass(10_000)
    expect(seen.at(-1)?.data?.lowLiquidity).toBe(false)
    expect(seen).toHaveLength(3)
  })

  it('never takes an older price for a newer one', async () => {
    hold([1])
    // The wallet is asked first and answers last.
    service.delay = ({ operation }) => (operation === 'balances' ? 4000 : 0)
    const client = create()
    const { seen } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(1)
    service.prices.set(keyOf(token()), 2)
    await pass(3500)
    expect(seen.at(-1)?.data).toMatchObject({ price_usd: 2, source: 'tokenBalance' })
    await pass(1000)
    expect(seen.at(-1)?.data).toMatchObject({ price_usd: 2, source: 'tokenBalance' })
    expect(operations()).toEqual(['balances', 'tokenBalance'])
  })

  it.each([-3_600_000, -30_000, 0, 30_000, 3_600_000])(
    'stays in order when the clock of the service is ahead by %i ms and not every answer tells it',
    async (clockAhead) => {
      service.clockAhead = clockAhead
      const client = create()
      const { seen } = watch(client, token(), { enabled: false })
      const { chainId, address } = token()
      const of = { address, chainIds: [chainId] } as const
      const told: (number | undefined)[] = []
      for (const [price, ask] of [
        () => getTokenInfo(client, of),
        () => getTokenBalance(client, { ...of, address: wallet, tokenAddress: address }),
        () => getTokenInfo(client, of),
        () => getTokenBalance(client, { ...of, address: wallet, tokenAddress: address }),
      ].entries()) {
        service.prices.set(keyOf(token()), price + 1)
        await ask()
        await pass(1000)
        told.push(seen.at(-1)?.data?.price_usd)
      }
      expect(told).toEqual([1, 2, 3, 4])
    },
  )

  it('survives clocks that jump: the local one, and that of the service', async () => {
    const { seen } = watch()
    await pass(0)
    vi.setSystemTime(Date.now() - 3_600_000)
    service.prices.set(keyOf(token()), 2)
    await pass(20_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(2)
    vi.setSystemTime(Date.now() + 8 * 3_600_000)
    service.prices.set(keyOf(token()), 3)
    await pass(20_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(3)
    // A service that corrects its clock is out of order for a minute at the most.
    service.clockAhead = -3_600_000
    service.prices.set(keyOf(token()), 4)
    await pass(80_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(4)
  })

  it('takes a hydrated answer for what it is: of the moment when it was made', async () => {
    const client = create()
    const { seen } = watch(client)
    await pass(0)
    const old = Date.now() - 5000
    client.queryClient.setQueryData(key(), answer(9, old), { updatedAt: old })
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
    // The clock of the rendering server is ahead; its answer is not of a moment to come.
    const ahead = Date.now() + 3_600_000
    client.queryClient.setQueryData(key(otherAddress), answer(8), { updatedAt: ahead })
    expect(seen.at(-1)?.data?.price_usd).toBe(8)
    await pass(10_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
  })
})

describe('a price that cannot be learned', () => {
  const refuse = (status: number, only?: string) => {
    service.instead = ({ operation }) =>
      only === undefined || operation === only ? json({ error: 'No' }, { status }) : undefined
  }

  it('is an error of status 402, which stops polling until somebody refetches', async () => {
    refuse(402)
    const client = create()
    const { seen } = watch(client)
    await pass(120_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 402 } })
    expect(service.asked).toHaveLength(1)
    watch(client, token(), { staleTime: 1 })
    await pass(1000)
    expect(service.asked).toHaveLength(1)
    service.instead = () => undefined
    await Promise.all([seen.at(-1)?.refetch(), pass(0)])
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 1 } })
    await pass(10_100)
    expect(service.asked).toHaveLength(3)
  })

  it('keeps the last price, and backs off', async () => {
    const { seen } = watch()
    await pass(0)
    refuse(503)
    await pass(5 * 60_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', data: { price_usd: 1 } })
    // Up to four attempts each time.
    expect(service.asked.length).toBeLessThan(30)
    service.instead = () => undefined
    await pass(6 * 60_000)
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 1 } })
  })

  it('waits for as long as the service asks', async () => {
    service.instead = () =>
      json({ error: 'Slow' }, { status: 429, headers: { 'retry-after': '30' } })
    const { seen } = watch()
    await pass(29_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 429 } })
    expect(service.asked).toHaveLength(1)
    await pass(2000)
    expect(service.asked).toHaveLength(2)
  })

  it('is learned from token info where a single balance does not tell it, at once from then on', async () => {
    refuse(404, 'tokenBalance')
    const { seen } = watch()
    await pass(10_100)
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenInfo' } })
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenInfo'])
  })

  it('is learned from token info where zero amounts are left out', async () => {
    const { answer } = service
    const client = create({
      fetch: async (url) => {
        const response = await answer(new URL(String(url)))
        return service.asked.at(-1)?.operation === 'tokenBalance'
          ? json({ wallet_address: wallet, balances: [] })
          : response
      },
    })
    const { seen } = watch(client)
    await pass(10_100)
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenInfo' } })
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenInfo'])
  })

  it('is an error while the service does not know the token', async () => {
    refuse(404)
    const { seen } = watch()
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', data: undefined, error: { status: 404 } })
    service.instead = () => undefined
    await pass(30_100)
    // Once it is known, the cheapest way is good enough.
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenBalance' } })
  })

  it('is an error when no answer tells of the token, or what it tells cannot be read', async () => {
    service.row = () => undefined
    const missing = watch()
    await pass(0)
    expect(missing.seen.at(-1)).toMatchObject({
      status: 'error',
      error: { name: 'HeadwaterError' },
    })
    service.row = (row) => ({ ...row, price_usd: 'nine' })
    const malformed = watch(create(), token(2))
    await pass(0)
    // Not as if nothing priced the token.
    expect(malformed.seen.at(-1)).toMatchObject({ status: 'error', data: undefined })
    service.row = (row) => row
    await pass(30_000)
    expect(malformed.seen.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 2 } })
  })

  it.each([0, 200])(
    'is not asked for at each render with a new `select`, when an answer takes %i ms',
    async (delay) => {
      service.delay = () => delay
      const client = create()
      /** Watches and, at each change, watches anew, as a component with an inline `select` does. */
      const render = (of: ReturnType<typeof token>, refetchInterval: number | false) => {
        const stream = watchPrice(client, of, { refetchInterval, select: (tick) => tick.price_usd })
        const first = stream.getSnapshot()
        const subscription = stream.subscribe((snapshot) => {
          if (snapshot === first) return
          setTimeout(() => {
            service.prices.set(keyOf(token(2)), Date.now())
            render(of, refetchInterval)
            subscription.unsubscribe()
          })
        })
      }
      // No answer tells it: a single balance and token info are asked, once.
      service.row = (row) => (row['address'] === token().address ? undefined : row)
      render(token(), 10_000)
      await pass(5000)
      expect(operations()).toEqual(['tokenBalance', 'tokenInfo'])
      // Another price at each answer.
      render(token(2), false)
      await pass(5000)
      expect(service.asked).toHaveLength(3)
    },
  )

  it('is asked for once in a while only, however often somebody comes', async () => {
    service.row = () => undefined
    const client = create()
    for (let second = 0; second < 9; second++) {
      const { subscription } = watch(client, token(), { refetchInterval: false })
      await pass(500)
      subscription.unsubscribe()
      await pass(500)
    }
    expect(service.asked).toHaveLength(2)
    await pass(2000)
    watch(client, token(), { refetchInterval: false })
    await pass(0)
    expect(service.asked.length).toBeGreaterThan(2)
  })

  it('is an error at once for parameters that cannot be right, and nothing is sent', async () => {
    const client = create()
    for (const [of, options, parameter] of [
      [{ chainId: 1, address: '0x12' }, {}, 'address'],
      [{ chainId: 1.5, address: 'native' }, {}, 'chainId'],
      [{ chainId: 1, address: 'native' }, { historicalPrices: [0] }, 'historicalPrices'],
    ] as const) {
      const { seen } = watch(client, of, options)
      expect(seen).toMatchObject([{ status: 'error', error: { parameter } }])
      await seen[0]?.refetch()
    }
    expect(watch(client, { chainId: 0, address: '' }, { enabled: false }).seen).toMatchObject([
      { status: 'pending' },
    ])
    await pass(30_000)
    expect(service.asked).toHaveLength(0)
  })
})

describe('past prices', () => {
  it('tell changes, and come with the price for no further unit', async () => {
    const { seen } = watch(create(), token(), { historicalPrices: [24, 100] })
    await pass(0)
    expect(seen).toHaveLength(2)
    expect(seen.at(-1)?.data).toMatchObject({
      price_usd: 1,
      historical_prices: [
        { offset_hours: 24, price_usd: 1 / 1.24 },
        { offset_hours: 100, price_usd: 0.5 },
      ],
      changes: [{ offset_hours: 24 }, { offset_hours: 100, percent: 100 }],
    })
    expect(seen.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
    expect(service.asked).toMatchObject([{ operation: 'tokenBalance', offsets: [24, 100] }])
  })

  it('are split when there are more than three, and none is asked for twice', async () => {
    const offsets = [1, 2, 3, 24, 48, 168, 720]
    const { seen } = watch(create(), token(), { historicalPrices: offsets })
    await pass(0)
    expect(seen.at(-1)?.data?.changes?.map(({ offset_hours }) => offset_hours)).toEqual(offsets)
    expect(seen.at(-1)?.data?.changes?.every(({ percent }) => percent !== undefined)).toBe(true)
    expect(service.asked.map((asked) => asked.offsets)).toEqual([[1, 2, 3], [24, 48, 168], [720]])
    await pass(100_000)
    expect(service.asked).toHaveLength(13)
    expect(service.asked.slice(3).every((asked) => asked.offsets.length === 0)).toBe(true)
  })

  it('are asked for again when their moment is off by a 24th of the offset, or by an hour', async () => {
    watch(create(), token(), { historicalPrices: [1, 720], refetchInterval: 60_000 })
    await pass(3_599_000)
    const count = (offset: number) =>
      service.asked.filter(({ offsets }) => offsets.includes(offset)).length
    expect(count(1)).toBeGreaterThanOrEqual(18)
    expect(count(1)).toBeLessThanOrEqual(25)
    expect(count(720)).toBe(1)
    await pass(180_000)
    expect(count(720)).toBe(2)
    // Never a request of its own.
    expect(service.asked.length).toBeLessThanOrEqual(64)
  })

  it('cost a unit of the wallet when the price itself costs nothing', async () => {
    hold(upTo(5))
    const client = create()
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    for (const each of upTo(5)) watch(client, token(each), { historicalPrices: [24] })
    await pass(60_000)
    expect(service.asked.filter(({ offsets }) => offsets.length > 0)).toMatchObject([
      { operation: 'balances', offsets: [24] },
    ])
    expect(service.units).toBe(8)
  })

  it('wait for units of the budget, and the prices do not wait for them', async () => {
    hold([1, 2])
    const client = create()
    priceIndexOf(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    // More than work in the background may fill of a minute, less than polls may.
    client.setBudget({ perMinute: 20 })
    for (const each of upTo(6)) {
      await getTokenInfo(client, { address: tokenAddress(30 + each), chainIds: [1] })
    }
    const { length } = service.asked
    const options = { historicalPrices: [24], refetchInterval: 20_000 }
    const { seen } = watchAll(client, [token(1), token(2)], options)
    await pass(19_000)
    expect(service.asked).toHaveLength(length)
    service.prices.set(keyOf(token()), 3)
    await pass(2000)
    expect(seen.at(-1)?.data?.[0]?.price_usd).toBe(3)
    expect(service.asked.slice(length)).toMatchObject([{ operation: 'balances', offsets: [] }])
    await pass(45_000)
    expect(seen.at(-1)?.data?.[1]?.changes?.[0]?.percent).toBeCloseTo(24)
    expect(service.asked.filter(({ offsets }) => offsets.length > 0)).toHaveLength(1)
  })

  it('are not asked for by a hidden page, which learns the price from elsewhere', async () => {
    hold([1])
    const client = create()
    watch(client, token(), { historicalPrices: [1] })
    await pass(0)
    focusManager.setFocused(false)
    const { length } = service.asked
    for (let time = 0; time < 10; time++) {
      await pass(180_000)
      service.prices.set(keyOf(token()), time + 2)
      const answer = await getBalances(create(), { address: wallet, chainIds: [1] })
      const key = ['headwater', 'https://example.org', 'balances', { address: wallet }]
      client.queryClient.setQueryData(key, answer)
    }
    await pass(1000)
    expect(service.asked.slice(length).filter(({ offsets }) => offsets.length > 0)).toEqual([])
    focusManager.setFocused(true)
    await pass(20_000)
    expect(service.asked.filter(({ offsets }) => offsets.length > 0)).toHaveLength(2)
  })

  it('are taken from whoever asked for them', async () => {
    hold([1])
    const client = create()
    const { seen } = watch(client, token(), { enabled: false, historicalPrices: [24] })
    expect(seen.at(-1)?.data).toBeUndefined()
    await getBalances(client, { address: wallet, chainIds: [1], historicalPrices: [24] })
    expect(seen.at(-1)?.data?.changes).toMatchObject([{ offset_hours: 24 }])
    expect(seen.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
  })

  it('may be none: the token had no price then', async () => {
    service.past = () => null
    const { seen } = watch(create(), token(), { historicalPrices: [24] })
    await pass(20_000)
    expect(seen.at(-1)?.data?.changes).toEqual([{ offset_hours: 24 }])
    expect(service.asked.filter(({ offsets }) => offsets.length > 0)).toHaveLength(1)
  })

  it('come from token info where a single balance does not tell them', async () => {
    service.row = (row) => {
      if ('amount' in row && service.asked.at(-1)?.operation === 'tokenBalance') {
        return { ...row, historical_prices: undefined }
      }
      return row
    }
    const { seen } = watch(create(), token(), { historicalPrices: [24] })
    await pass(0)
    expect(seen.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
    await pass(20_100)
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenBalance', 'tokenBalance'])
  })

  it('that nobody tells do not hold up the price, and are not asked for all the time', async () => {
    service.row = (row) => ({ ...row, historical_prices: undefined })
    const { seen } = watch(create(), token(), { historicalPrices: [24] })
    await pass(50_000)
    expect(seen.at(-1)).toMatchObject({
      status: 'success',
      data: { changes: [{ offset_hours: 24 }] },
    })
    expect(service.asked.filter(({ offsets }) => offsets.length > 0).length).toBeLessThanOrEqual(2)
  })

  it('are no longer shown when they are of another day', async () => {
    const { seen } = watch(create(), token(), { historicalPrices: [24] })
    await pass(0)
    service.instead = ({ offsets }) => (offsets.length > 0 ? json({}, { status: 500 }) : undefined)
    focusManager.setFocused(false)
    await pass(5 * 3_600_000)
    service.past = () => null
    service.row = (row) => ({ ...row, historical_prices: undefined })
    service.instead = () => undefined
    focusManager.setFocused(true)
    await pass(5000)
    expect(seen.at(-1)?.data?.changes).toEqual([{ offset_hours: 24 }])
  })
})

describe('many prices', () => {
  it('are one list in the order asked for, told once an answer', async () => {
    hold(upTo(40))
    const client = create()
    priceIndexOf(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    const { seen } = watchAll(
      client,
      upTo(40)
        .reverse()
        .map((each) => token(each)),
    )
    expect(seen).toHaveLength(1)
    for (const each of upTo(40)) service.prices.set(keyOf(token(each)), each + 1)
    await pass(10_000)
    expect(seen).toHaveLength(2)
    expect(seen.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual(
      upTo(40)
        .map((each) => each + 1)
        .reverse(),
    )
    expect(service.units).toBe(2)
  })

  it('are shown as far as they are known, with an error while one cannot be learned', async () => {
    service.instead = ({ tokens }) =>
      tokens.includes(keyOf(token(2))) ? json({ error: 'No' }, { status: 404 }) : undefined
    const { seen } = watchAll(create(), [token(1), token(2), token(3)])
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 404 } })
    expect(seen.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual([1, undefined, 3])
  })

  it('stay those that were asked for when the caller changes its own list', async () => {
    const tokens = [token(1)]
    const client = create()
    const stream = watchPrices(client, tokens)
    tokens[0] = token(3)
    const { seen } = watchAll(client, [token(1)])
    await pass(0)
    expect(watchPrices(client, [token(1)])).toBe(stream)
    expect(seen.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual([1])
  })

  it('fail at one moment as one emission', async () => {
    service.instead = () => json({ error: 'No' }, { status: 402 })
    const tokens = upTo(40).map((each) => token(each))
    const { seen } = watchAll(create(), tokens)
    await pass(0)
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'error'])
  })

  it('leave nothing behind after ten thousand subscriptions', async () => {
    const client = create({ queryClient: new QueryClient() })
    for (let cycle = 0; cycle < 10_000; cycle++) {
      watchAll(client, [token(1), token(2)]).subscription.unsubscribe()
      watch(client, token(1), { historicalPrices: [1 + (cycle % 3)] }).subscription.unsubscribe()
    }
    await pass(1000)
    client.queryClient.getQueryCache().clear()
    expect(vi.getTimerCount()).toBe(0)
    const price = priceIndexOf(client).price(1, tokenAddress(1))
    expect(price.watchers.size).toBe(0)
    expect(price.asking).toBeUndefined()
    expect(service.units).toBeLessThanOrEqual(5)
  })

  it('are asked for twenty at once, where each takes a request of its own', async () => {
    service.delay = () => 1000
    const tokens = [1, 10].flatMap((chainId) => upTo(40).map((each) => token(each, chainId)))
    const { seen } = watchAll(create(), tokens, { refetchInterval: false })
    for (const most of [20, 40, 60, 80, 80]) {
      await pass(500)
      expect(service.asked).toHaveLength(most)
      await pass(500)
    }
    expect(seen.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual([...upTo(40), ...upTo(40)])
  })

  it('may be none, or one twice', async () => {
    expect(watchAll(create(), []).seen).toMatchObject([{ status: 'success', data: [] }])
    const { seen } = watchAll(create(), [
      token(),
      { ...token(), address: token().address.toUpperCase().replace('0X', '0x') },
    ])
    await pass(0)
    expect(seen.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual([1, 1])
    expect(service.asked).toHaveLength(1)
  })
})
