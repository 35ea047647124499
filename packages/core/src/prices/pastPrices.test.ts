import { focusManager } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { setBudget } from '../budget/setBudget.ts'
import { balancesQueryFilter, getBalances, watchBalances } from '../operations/balances.ts'
import { getTokenInfo } from '../operations/tokenInfo.ts'
import { getPriceIndex } from './PriceIndex.ts'

const kit = pricesInFakeTime()
const { create, operations, watch, watchAll, hold } = kit

describe('past prices', () => {
  it('result in changes, and are part of the request for the price', async () => {
    const { emitted } = watch(create(), token(), { historicalPrices: [24, 100] })
    await advance(0)
    expect(emitted).toHaveLength(2)
    expect(emitted.at(-1)?.data).toMatchObject({
      price_usd: 1,
      historical_prices: [
        { offset_hours: 24, price_usd: 1 / 1.24 },
        { offset_hours: 100, price_usd: 0.5 },
      ],
      changes: [{ offset_hours: 24 }, { offset_hours: 100, percent: 100 }],
    })
    expect(emitted.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
    expect(kit.service.requests).toMatchObject([{ operation: 'tokenBalance', offsets: [24, 100] }])
  })

  it('are split into groups of three offsets, each requested once', async () => {
    const offsets = [1, 2, 3, 24, 48, 168, 720]
    const { emitted } = watch(create(), token(), { historicalPrices: offsets })
    await advance(0)
    expect(emitted.at(-1)?.data?.changes?.map(({ offset_hours }) => offset_hours)).toEqual(offsets)
    expect(emitted.at(-1)?.data?.changes?.every(({ percent }) => percent !== undefined)).toBe(true)
    expect(kit.service.requests.map((request) => request.offsets)).toEqual([
      [1, 2, 3],
      [24, 48, 168],
      [720],
    ])
    await advance(100_000)
    expect(kit.service.requests).toHaveLength(13)
    expect(kit.service.requests.slice(3).every((request) => request.offsets.length === 0)).toBe(
      true,
    )
  })

  it('are refetched when they are off by a 24th of the offset, at most an hour', async () => {
    watch(create(), token(), { historicalPrices: [1, 720], refetchInterval: 60_000 })
    await advance(3_599_000)
    const count = (offset: number) =>
      kit.service.requests.filter(({ offsets }) => offsets.includes(offset)).length
    expect(count(1)).toBeGreaterThanOrEqual(18)
    expect(count(1)).toBeLessThanOrEqual(25)
    expect(count(720)).toBe(1)
    await advance(180_000)
    expect(count(720)).toBe(2)
    // Without additional requests.
    expect(kit.service.requests.length).toBeLessThanOrEqual(64)
  })

  it('cost one unit of the wallet when the price itself is free', async () => {
    hold(upTo(5))
    const client = create()
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    for (const each of upTo(5)) {
      watch(client, token(each), { historicalPrices: [24] })
    }
    await advance(60_000)
    expect(kit.service.requests.filter(({ offsets }) => offsets.length > 0)).toMatchObject([
      { operation: 'balances', offsets: [24] },
    ])
    expect(kit.service.units).toBe(8)
  })

  it('wait for the budget without delaying prices', async () => {
    hold([1, 2])
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    // More than background requests may use of a minute, less than polls may.
    setBudget(client, { perMinute: 20 })
    for (const each of upTo(6)) {
      await getTokenInfo(client, { address: numberedAddress(30 + each), chainIds: [1] })
    }
    const { length } = kit.service.requests
    const options = { historicalPrices: [24], refetchInterval: 20_000 }
    const { emitted } = watchAll(client, [token(1), token(2)], options)
    await advance(19_000)
    expect(kit.service.requests).toHaveLength(length)
    kit.service.prices.set(keyOf(token()), 3)
    await advance(2000)
    expect(emitted.at(-1)?.data?.[0]?.price_usd).toBe(3)
    expect(kit.service.requests.slice(length)).toMatchObject([
      { operation: 'balances', offsets: [] },
    ])
    await advance(45_000)
    expect(emitted.at(-1)?.data?.[1]?.changes?.[0]?.percent).toBeCloseTo(24)
    expect(kit.service.requests.filter(({ offsets }) => offsets.length > 0)).toHaveLength(1)
  })

  it('that wait for the budget do not keep a refetch of the price waiting', async () => {
    const client = create()
    setBudget(client, { perMinute: 20 })
    const options = { refetchInterval: false, staleTime: Infinity } as const
    watch(client, token(), options)
    await advance(0)
    // More than background requests may use of a minute, for longer than until a past price may be requested again.
    const spendFor64Seconds = async () => {
      for (let time = 0; time < 8; time++) {
        await getTokenInfo(client, { address: numberedAddress(30), chainIds: [1] })
        await advance(8000)
      }
    }
    await spendFor64Seconds()
    const { emitted } = watch(client, token(), { ...options, historicalPrices: [24] })
    await spendFor64Seconds()
    kit.service.prices.set(keyOf(token()), 3)
    void emitted.at(-1)?.refetch()
    await advance(0)
    expect(emitted.at(-1)?.data?.price_usd).toBe(3)
    expect(kit.service.requests.every(({ offsets }) => offsets.length === 0)).toBe(true)
    await advance(61_000)
    expect(emitted.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
  })

  it('are part of a refetch that follows at once', async () => {
    const client = create()
    watch(client, token(), { refetchInterval: false, staleTime: Infinity })
    await advance(1000)
    const { emitted } = watch(client, token(), {
      refetchInterval: false,
      staleTime: Infinity,
      historicalPrices: [24],
    })
    void emitted.at(-1)?.refetch()
    await advance(1000)
    expect(emitted.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
    expect(kit.service.requests.map(({ offsets }) => offsets)).toEqual([[], [24]])
  })

  it('are not requested once no stream watches them while they wait for the budget', async () => {
    hold([1])
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    // More than background requests may use of a minute.
    setBudget(client, { perMinute: 2 })
    const options = { historicalPrices: [24], refetchInterval: false, staleTime: Infinity } as const
    const left = watch(client, token(), options)
    await advance(10_000)
    left.subscription.unsubscribe()
    await advance(300_000)
    expect(client.getUsage().spent).toBe(1)
    // They are requested for one that follows while they wait.
    await getTokenInfo(client, { address: numberedAddress(30), chainIds: [1] })
    watch(client, token(), options).subscription.unsubscribe()
    const { emitted } = watch(client, token(), options)
    await advance(61_000)
    expect(emitted.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
    expect(kit.service.requests).toHaveLength(3)
  })

  it('do not make the wallet that contains them wait for the budget', async () => {
    hold([1, 2])
    const client = create()
    const options = { refetchInterval: 24 * 3_600_000, staleTime: Infinity }
    const held = { address: wallet, chainIds: [1], historicalPrices: [24] }
    const { emitted } = record(watchBalances(client, held, options))
    await advance(0)
    for (const each of [1, 2]) {
      watch(client, token(each), { ...options, historicalPrices: [24] })
    }
    await advance(2 * 3_600_000)
    // Its response starts the requests for past prices, which are outdated.
    await getTokenInfo(client, { address: token().address, chainIds: [1] })
    await advance(0)
    const { length } = kit.service.requests
    expect(kit.service.requests.at(-1)).toMatchObject({ operation: 'balances', offsets: [24] })
    setBudget(client, { perMinute: 4 })
    kit.service.prices.set(keyOf(token()), 5)
    void client.queryClient.invalidateQueries(balancesQueryFilter(client))
    await advance(0)
    expect(kit.service.requests).toHaveLength(length + 1)
    expect(emitted.at(-1)?.data?.[0]?.price_usd).toBe(5)
  })

  it('are not requested while the page is hidden', async () => {
    hold([1])
    const client = create()
    watch(client, token(), { historicalPrices: [1] })
    await advance(0)
    focusManager.setFocused(false)
    const { length } = kit.service.requests
    for (let time = 0; time < 10; time++) {
      await advance(180_000)
      kit.service.prices.set(keyOf(token()), time + 2)
      const response = await getBalances(create(), { address: wallet, chainIds: [1] })
      const key = ['headwater', 'https://example.org', 'balances', { address: wallet }]
      client.queryClient.setQueryData(key, response)
    }
    await advance(1000)
    expect(kit.service.requests.slice(length).filter(({ offsets }) => offsets.length > 0)).toEqual(
      [],
    )
    focusManager.setFocused(true)
    await advance(20_000)
    expect(kit.service.requests.filter(({ offsets }) => offsets.length > 0)).toHaveLength(2)
  })

  it('are taken from requests of other code', async () => {
    hold([1])
    const client = create()
    const { emitted } = watch(client, token(), { enabled: false, historicalPrices: [24] })
    expect(emitted.at(-1)?.data).toBeUndefined()
    await getBalances(client, { address: wallet, chainIds: [1], historicalPrices: [24] })
    expect(emitted.at(-1)?.data?.changes).toMatchObject([{ offset_hours: 24 }])
    expect(emitted.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
  })

  it('may be null: the token had no price at that time', async () => {
    kit.service.past = () => null
    const { emitted } = watch(create(), token(), { historicalPrices: [24] })
    await advance(20_000)
    expect(emitted.at(-1)?.data?.changes).toEqual([{ offset_hours: 24 }])
    expect(kit.service.requests.filter(({ offsets }) => offsets.length > 0)).toHaveLength(1)
  })

  it('are requested from token info when a single balance does not contain them', async () => {
    kit.service.row = (row) => {
      if ('amount' in row && kit.service.requests.at(-1)?.operation === 'tokenBalance') {
        return { ...row, historical_prices: undefined }
      }
      return row
    }
    const { emitted } = watch(create(), token(), { historicalPrices: [24] })
    await advance(0)
    expect(emitted.at(-1)?.data?.changes?.[0]?.percent).toBeCloseTo(24)
    await advance(20_100)
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenBalance', 'tokenBalance'])
  })

  it('that no response contains do not delay the price, and are not requested repeatedly', async () => {
    kit.service.row = (row) => ({ ...row, historical_prices: undefined })
    const { emitted } = watch(create(), token(), { historicalPrices: [24] })
    await advance(50_000)
    expect(emitted.at(-1)).toMatchObject({
      status: 'success',
      data: { changes: [{ offset_hours: 24 }] },
    })
    expect(
      kit.service.requests.filter(({ offsets }) => offsets.length > 0).length,
    ).toBeLessThanOrEqual(2)
  })

  it('are removed when they are outdated', async () => {
    const { emitted } = watch(create(), token(), { historicalPrices: [24] })
    await advance(0)
    kit.service.override = ({ offsets }) =>
      offsets.length > 0 ? json({}, { status: 500 }) : undefined
    focusManager.setFocused(false)
    await advance(5 * 3_600_000)
    kit.service.past = () => null
    kit.service.row = (row) => ({ ...row, historical_prices: undefined })
    kit.service.override = () => undefined
    focusManager.setFocused(true)
    await advance(5000)
    expect(emitted.at(-1)?.data?.changes).toEqual([{ offset_hours: 24 }])
  })
})
