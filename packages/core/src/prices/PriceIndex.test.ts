import { dehydrate, hydrate, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import {
  address as wallet,
  balance,
  balancesResponse,
  numberedAddress,
  otherAddress,
} from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { getBalances, watchBalances } from '../operations/balances.ts'
import { getTokenBalance } from '../operations/tokenBalance.ts'
import { getTokenInfo } from '../operations/tokenInfo.ts'
import { getPriceIndex } from './PriceIndex.ts'
import { watchPrice } from './watchPrices.ts'

const kit = pricesInFakeTime()
const { create, operations, watch, watchAll, hold } = kit

describe('what is known of prices', () => {
  const key = (address = wallet) => [
    'headwater',
    'https://example.org',
    'balances',
    { address, limit: 1000 },
  ]
  const answer = (price: number, time?: number) => ({
    ...balancesResponse(
      balance({ chain_id: 1, address: token().address, price_usd: price, pool_size: 5 }),
    ),
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
    expect(kit.service.asked).toHaveLength(1)
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
      balance({ chain_id: 1, address: numberedAddress(each), price_usd: each }),
    )
    client.queryClient.setQueryData(key(), balancesResponse(...rows))
    const isKnown = (each: number) =>
      watchPrice(client, token(each), { enabled: false }).getSnapshot().data !== undefined
    expect([2, 1999, 4000, 12_000].map(isKnown)).toEqual([false, false, true, true])
    // Somebody watches it.
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
    const oldAndNew = [token(4000), ...upTo(9000).map((each) => token(each + 12_000))]
    const all = watchAll(client, oldAndNew, { enabled: false })
    const row = balance({ chain_id: 1, address: numberedAddress(4000), price_usd: 7 })
    await pass(1)
    client.queryClient.setQueryData(key(otherAddress), balancesResponse(row))
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
    const price = getPriceIndex(client).get(chainId, address)
    hold([1])
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(0)
    expect(price.responseCount).toBe(1)
    await pass(10_000)
    expect(price.responseCount).toBe(2)
  })

  it('knows a token that is listed without a price to have none', async () => {
    kit.service.prices.set(keyOf(token()), undefined)
    const { seen } = watch()
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'success', error: null })
    expect(seen.at(-1)?.data).not.toHaveProperty('price_usd')
    kit.service.prices.set(keyOf(token()), 4)
    await pass(10_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(4)
  })

  it('tells the liquidity by the word of the service, else by the size of the pool', async () => {
    kit.service.row = (row) => ({ ...row, pool_size: 9999 })
    const { seen } = watch()
    await pass(0)
    expect(seen.at(-1)?.data?.lowLiquidity).toBe(true)
    kit.service.row = (row) => ({ ...row, pool_size: 9999, low_liquidity: false })
    await pass(10_000)
    expect(seen.at(-1)?.data?.lowLiquidity).toBe(false)
    expect(seen).toHaveLength(3)
  })

  it('never takes an older price for a newer one', async () => {
    hold([1])
    // The wallet is asked first and answers last.
    kit.service.delay = ({ operation }) => (operation === 'balances' ? 4000 : 0)
    const client = create()
    const { seen } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(1)
    kit.service.prices.set(keyOf(token()), 2)
    await pass(3500)
    expect(seen.at(-1)?.data).toMatchObject({ price_usd: 2, source: 'tokenBalance' })
    await pass(1000)
    expect(seen.at(-1)?.data).toMatchObject({ price_usd: 2, source: 'tokenBalance' })
    expect(operations()).toEqual(['balances', 'tokenBalance'])
  })

  it.each(['tokenInfo', 'balances'] as const)(
    'never takes an older price for a newer one when one of the answers does not tell its time, and %s is late',
    async (late) => {
      hold([1])
      const client = create()
      const { seen } = watch(client, token(), { enabled: false, historicalPrices: [24] })
      const { chainId, address } = token()
      const of = { historicalPrices: [24] } as const
      const ask = {
        tokenInfo: () => getTokenInfo(client, { ...of, address, chainIds: [chainId] }),
        balances: () => getBalances(client, { ...of, address: wallet, chainIds: [chainId] }),
      }
      await ask.balances()
      await pass(1000)
      kit.service.delay = ({ operation }) => (operation === late ? 5000 : 0)
      const answered = ask[late]()
      await pass(3000)
      kit.service.prices.set(keyOf(token()), 2)
      await ask[late === 'balances' ? 'tokenInfo' : 'balances']()
      const newest = { price_usd: 2, historical_prices: [{ price_usd: 2 / 1.24 }] }
      expect(seen.at(-1)?.data).toMatchObject(newest)
      await Promise.all([answered, pass(2000)])
      expect(seen.at(-1)?.data).toMatchObject(newest)
      // What is asked for from here on is newer.
      kit.service.prices.set(keyOf(token()), 3)
      await Promise.all([ask[late](), pass(5000)])
      expect(seen.at(-1)?.data?.price_usd).toBe(3)
    },
  )

  it.each([-3_600_000, -30_000, 0, 30_000, 3_600_000])(
    'stays in order when the clock of the service is ahead by %i ms and not every answer tells it',
    async (clockAhead) => {
      kit.service.clockAhead = clockAhead
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
        kit.service.prices.set(keyOf(token()), price + 1)
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
    kit.service.prices.set(keyOf(token()), 2)
    await pass(20_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(2)
    vi.setSystemTime(Date.now() + 8 * 3_600_000)
    kit.service.prices.set(keyOf(token()), 3)
    await pass(20_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(3)
    // A service that corrects its clock is out of order for a minute at the most.
    kit.service.clockAhead = -3_600_000
    kit.service.prices.set(keyOf(token()), 4)
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
