import { dehydrate, hydrate, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import {
  address as wallet,
  balance,
  balancesResponse,
  numberedAddress,
  otherAddress,
} from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { rejectWith } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { getBalances, watchBalances } from '../operations/balances.ts'
import { getTokenBalance } from '../operations/tokenBalance.ts'
import { getTokenInfo } from '../operations/tokenInfo.ts'
import { getPriceIndex } from './PriceIndex.ts'
import { watchPrice } from './watchPrices.ts'

const kit = pricesInFakeTime()
const { create, operations, watch, watchAll, hold } = kit

describe('the price index', () => {
  const key = (address = wallet) => [
    'headwater',
    'https://example.org',
    'balances',
    { address, limit: 1000 },
  ]
  const createResponse = (price: number, time?: number) => ({
    ...balancesResponse(
      balance({ chain_id: 1, address: token().address, price_usd: price, pool_size: 5 }),
    ),
    ...(time !== undefined && { response_time: new Date(time).toISOString() }),
  })

  it('reads existing responses of the cache', () => {
    const client = create()
    client.queryClient.setQueryData(key(), createResponse(9))
    expect(watchPrice(client, token()).getSnapshot()).toMatchObject({
      status: 'success',
      data: { price_usd: 9, source: 'balances', lowLiquidity: true, observedAt: Date.now() },
    })
  })

  it('reads responses that reach the cache later: hydration, persistence, other tabs', async () => {
    const client = create()
    const { emitted } = watch(client, token(), { enabled: false })
    const server = new QueryClient()
    server.setQueryData(key(), createResponse(9))
    hydrate(client.queryClient, dehydrate(server))
    expect(emitted.at(-1)?.data?.price_usd).toBe(9)
    await advance(1)
    client.queryClient.setQueryData(key(otherAddress), createResponse(8))
    expect(emitted.at(-1)?.data?.price_usd).toBe(8)
    await advance(1)
    server.setQueryData(key(), createResponse(7))
    hydrate(client.queryClient, dehydrate(server))
    expect(emitted.map(({ data }) => data?.price_usd)).toEqual([undefined, 9, 8, 7])
    server.clear()
  })

  it('uses responses rendered on a server without a request', async () => {
    const server = create({ ssr: true })
    watch(server).subscription.unsubscribe()
    await advance(0)
    const client = create()
    hydrate(client.queryClient, dehydrate(server.queryClient))
    expect(watch(client).emitted).toMatchObject([{ status: 'success', data: { price_usd: 1 } }])
    await advance(0)
    expect(kit.service.requests).toHaveLength(1)
  })

  it('ignores responses that a persister restored from an earlier visit', async () => {
    const persister = () => Promise.resolve(createResponse(9))
    const queryClient = new QueryClient({ defaultOptions: { queries: { persister } } })
    const { emitted } = watch(create({ queryClient }))
    await advance(0)
    expect(emitted.at(-1)?.data?.price_usd).toBe(1)
  })

  it('keeps at most ten thousand prices, and removes the oldest', async () => {
    const client = create()
    const { emitted } = watch(client, token(), { enabled: false })
    const rows = upTo(12_000).map((each) =>
      balance({ chain_id: 1, address: numberedAddress(each), price_usd: each }),
    )
    client.queryClient.setQueryData(key(), balancesResponse(...rows))
    const isKnown = (each: number) =>
      watchPrice(client, token(each), { enabled: false }).getSnapshot().data !== undefined
    expect([2, 1999, 4000, 12_000].map(isKnown)).toEqual([false, false, true, true])
    // A watched price.
    expect(emitted.at(-1)?.data?.price_usd).toBe(1)
    const oldAndNew = [token(4000), ...upTo(9000).map((each) => token(each + 12_000))]
    const all = watchAll(client, oldAndNew, { enabled: false })
    const row = balance({ chain_id: 1, address: numberedAddress(4000), price_usd: 7 })
    await advance(1)
    client.queryClient.setQueryData(key(otherAddress), balancesResponse(row))
    expect(all.emitted.at(-1)?.data?.[0]?.price_usd).toBe(7)
  })

  it('contains only prices of its service', () => {
    const client = create()
    client.queryClient.setQueryData(
      ['headwater', 'https://other.example', 'balances', {}],
      createResponse(9),
    )
    client.queryClient.setQueryData(
      ['headwater', 'https://example.org', 'balances', {}],
      'nonsense',
    )
    expect(watchPrice(client, token()).getSnapshot().status).toBe('pending')
  })

  it('processes each response once', async () => {
    const client = create()
    const { chainId, address } = token()
    watch(client, token(), { enabled: false })
    const price = getPriceIndex(client).get(chainId, address)
    hold([1])
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await advance(0)
    expect(price.responseCount).toBe(1)
    await advance(10_000)
    expect(price.responseCount).toBe(2)
  })

  it('records that a token without a price has none', async () => {
    kit.service.prices.set(keyOf(token()), undefined)
    const { emitted } = watch()
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', error: null })
    expect(emitted.at(-1)?.data).not.toHaveProperty('price_usd')
    kit.service.prices.set(keyOf(token()), 4)
    await advance(10_000)
    expect(emitted.at(-1)?.data?.price_usd).toBe(4)
  })

  it('derives low liquidity from the flag of the service, else from the pool size', async () => {
    kit.service.row = (row) => ({ ...row, pool_size: 9999 })
    const { emitted } = watch()
    await advance(0)
    expect(emitted.at(-1)?.data?.lowLiquidity).toBe(true)
    kit.service.row = (row) => ({ ...row, pool_size: 9999, low_liquidity: false })
    await advance(10_000)
    expect(emitted.at(-1)?.data?.lowLiquidity).toBe(false)
    expect(emitted).toHaveLength(3)
  })

  it('counts a response that was requested later, although it has no timestamp', async () => {
    // Only token info returns the price. It has no `response_time`.
    kit.service.delay = ({ operation }) => (operation === 'tokenBalance' ? 0 : 8000)
    kit.service.override = ({ operation }) =>
      operation === 'tokenBalance' ? rejectWith(404)() : undefined
    hold([1])
    const client = create()
    const { emitted } = watch(client)
    await advance(17_500)
    // The price is due during this request, and requested 3 s later.
    const options = { refetchInterval: false } as const
    watchBalances(client, { address: wallet, chainIds: [1] }, options).subscribe()
    await advance(3000)
    kit.service.prices.set(keyOf(token()), 2)
    await advance(8500)
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'balances', 'tokenInfo'])
    expect(emitted.at(-1)?.data).toMatchObject({ price_usd: 2, source: 'tokenInfo' })
    await advance(9900)
    expect(operations()).toHaveLength(4)
    await advance(200)
    expect(operations()).toHaveLength(5)
  })

  it('does not replace a newer price with an older one', async () => {
    hold([1])
    // The wallet is requested first and its response arrives last.
    kit.service.delay = ({ operation }) => (operation === 'balances' ? 4000 : 0)
    const client = create()
    const { emitted } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await advance(1)
    kit.service.prices.set(keyOf(token()), 2)
    await advance(3500)
    expect(emitted.at(-1)?.data).toMatchObject({ price_usd: 2, source: 'tokenBalance' })
    await advance(1000)
    expect(emitted.at(-1)?.data).toMatchObject({ price_usd: 2, source: 'tokenBalance' })
    expect(operations()).toEqual(['balances', 'tokenBalance'])
  })

  it.each(['tokenInfo', 'balances'] as const)(
    'does not replace a newer price with an older one when a response has no time and %s is late',
    async (late) => {
      hold([1])
      const client = create()
      const { emitted } = watch(client, token(), { enabled: false, historicalPrices: [24] })
      const { chainId, address } = token()
      const of = { historicalPrices: [24] } as const
      const send = {
        tokenInfo: () => getTokenInfo(client, { ...of, address, chainIds: [chainId] }),
        balances: () => getBalances(client, { ...of, address: wallet, chainIds: [chainId] }),
      }
      await send.balances()
      await advance(1000)
      kit.service.delay = ({ operation }) => (operation === late ? 5000 : 0)
      const pending = send[late]()
      await advance(3000)
      kit.service.prices.set(keyOf(token()), 2)
      await send[late === 'balances' ? 'tokenInfo' : 'balances']()
      const newest = { price_usd: 2, historical_prices: [{ price_usd: 2 / 1.24 }] }
      expect(emitted.at(-1)?.data).toMatchObject(newest)
      await Promise.all([pending, advance(2000)])
      expect(emitted.at(-1)?.data).toMatchObject(newest)
      // Requests from here on are newer.
      kit.service.prices.set(keyOf(token()), 3)
      await Promise.all([send[late](), advance(5000)])
      expect(emitted.at(-1)?.data?.price_usd).toBe(3)
    },
  )

  it.each([-3_600_000, -30_000, 0, 30_000, 3_600_000])(
    'keeps the order when the clock of the service is ahead by %i ms and some responses have no time',
    async (clockAhead) => {
      kit.service.clockAhead = clockAhead
      const client = create()
      const { emitted } = watch(client, token(), { enabled: false })
      const { chainId, address } = token()
      const of = { address, chainIds: [chainId] } as const
      const prices: (number | undefined)[] = []
      for (const [price, send] of [
        () => getTokenInfo(client, of),
        () => getTokenBalance(client, { ...of, address: wallet, tokenAddress: address }),
        () => getTokenInfo(client, of),
        () => getTokenBalance(client, { ...of, address: wallet, tokenAddress: address }),
      ].entries()) {
        kit.service.prices.set(keyOf(token()), price + 1)
        await send()
        await advance(1000)
        prices.push(emitted.at(-1)?.data?.price_usd)
      }
      expect(prices).toEqual([1, 2, 3, 4])
    },
  )

  it('recovers when the local clock or that of the service jumps', async () => {
    const { emitted } = watch()
    await advance(0)
    vi.setSystemTime(Date.now() - 3_600_000)
    kit.service.prices.set(keyOf(token()), 2)
    await advance(20_000)
    expect(emitted.at(-1)?.data?.price_usd).toBe(2)
    vi.setSystemTime(Date.now() + 8 * 3_600_000)
    kit.service.prices.set(keyOf(token()), 3)
    await advance(20_000)
    expect(emitted.at(-1)?.data?.price_usd).toBe(3)
    // After the service corrects its clock, the order is wrong for at most a minute.
    kit.service.clockAhead = -3_600_000
    kit.service.prices.set(keyOf(token()), 4)
    await advance(80_000)
    expect(emitted.at(-1)?.data?.price_usd).toBe(4)
  })

  it('uses the original time of a hydrated response', async () => {
    const client = create()
    const { emitted } = watch(client)
    await advance(0)
    const old = Date.now() - 5000
    client.queryClient.setQueryData(key(), createResponse(9, old), { updatedAt: old })
    expect(emitted.at(-1)?.data?.price_usd).toBe(1)
    // The clock of the rendering server is ahead; the response is not from the future.
    const ahead = Date.now() + 3_600_000
    client.queryClient.setQueryData(key(otherAddress), createResponse(8), { updatedAt: ahead })
    expect(emitted.at(-1)?.data?.price_usd).toBe(8)
    await advance(10_000)
    expect(emitted.at(-1)?.data?.price_usd).toBe(1)
  })

  it.each([false, true])(
    'polls a price from a server whose clock is ahead after one interval, with a timestamp of the service: %s',
    async (hasTime) => {
      const client = create()
      const ahead = Date.now() + 3_600_000
      const response = createResponse(9, hasTime ? ahead : undefined)
      const [row] = response.balances
      const historical_prices = [{ offset_hours: 1, price_usd: 5 }]
      const balances = [{ ...row!, historical_prices }]
      client.queryClient.setQueryData(key(), { ...response, balances }, { updatedAt: ahead })
      const options = { staleTime: Infinity, historicalPrices: [1] }
      const { emitted } = watch(client, token(), options)
      expect(emitted[0]?.data?.price_usd).toBe(9)
      await advance(20_000)
      expect(emitted.at(-1)?.data?.price_usd).toBe(1)
      // Past prices by the wrong clock are replaced once.
      expect(emitted.at(-1)?.data?.historical_prices).toMatchObject([{ offset_hours: 1 }])
      const { length } = kit.service.requests
      await advance(120_000)
      expect(kit.service.requests.slice(length).flatMap(({ offsets }) => offsets)).toEqual([])
    },
  )

  it('accepts a response without a timestamp after one from a server whose clock is ahead', async () => {
    const client = create()
    const ahead = Date.now() + 3_600_000
    client.queryClient.setQueryData(key(), createResponse(9, ahead), { updatedAt: ahead })
    const { emitted } = watch(client, token(), { enabled: false })
    await advance(1000)
    // As another tab delivers it.
    const recent = { updatedAt: Date.now() - 500 }
    client.queryClient.setQueryData(key(otherAddress), createResponse(8), recent)
    expect(emitted.map(({ data }) => data?.price_usd)).toEqual([9, 8])
  })
})
