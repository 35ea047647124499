import { focusManager } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { getBalances, watchBalances } from '../operations/balances.ts'
import { getTokenInfo } from '../operations/tokenInfo.ts'
import { getPriceIndex } from './PriceIndex.ts'

const kit = pricesInFakeTime()
const { create, operations, watch, watchAll, hold } = kit

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
    expect(kit.service.asked).toMatchObject([{ operation: 'tokenBalance', offsets: [24, 100] }])
  })

  it('are split when there are more than three, and none is asked for twice', async () => {
    const offsets = [1, 2, 3, 24, 48, 168, 720]
    const { seen } = watch(create(), token(), { historicalPrices: offsets })
    await pass(0)
    expect(seen.at(-1)?.data?.changes?.map(({ offset_hours }) => offset_hours)).toEqual(offsets)
    expect(seen.at(-1)?.data?.changes?.every(({ percent }) => percent !== undefined)).toBe(true)
    expect(kit.service.asked.map((asked) => asked.offsets)).toEqual([
      [1, 2, 3],
      [24, 48, 168],
      [720],
    ])
    await pass(100_000)
    expect(kit.service.asked).toHaveLength(13)
    expect(kit.service.asked.slice(3).every((asked) => asked.offsets.length === 0)).toBe(true)
  })

  it('are asked for again when their moment is off by a 24th of the offset, or by an hour', async () => {
    watch(create(), token(), { historicalPrices: [1, 720], refetchInterval: 60_000 })
    await pass(3_599_000)
    const count = (offset: number) =>
      kit.service.asked.filter(({ offsets }) => offsets.includes(offset)).length
    expect(count(1)).toBeGreaterThanOrEqual(18)
    expect(count(1)).toBeLessThanOrEqual(25)
    expect(count(720)).toBe(1)
    await pass(180_000)
    expect(count(720)).toBe(2)
    // Never a request of its own.
    expect(kit.service.asked.length).toBeLessThanOrEqual(64)
  })

  it('cost a unit of the wallet when the price itself costs nothing', async () => {
    hold(upTo(5))
    const client = create()
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    for (const each of upTo(5)) {
      watch(client, token(each), { historicalPrices: [24] })
    }
    await pass(60_000)
    expect(kit.service.asked.filter(({ offsets }) => offsets.length > 0)).toMatchObject([
      { operation: 'balances', offsets: [24] },
    ])
    expect(kit.service.units).toBe(8)
  })

  it('wait for units of the budget, and the prices do not wait for them', async () => {
    hold([1, 2])
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    // More than work in the background may fill of a minute, less than polls may.
    client.setBudget({ perMinute: 20 })
    for (const each of upTo(6)) {
      await getTokenInfo(client, { address: numberedAddress(30 + each), chainIds: [1] })
    }
    const { length } = kit.service.asked
    const options = { historicalPrices: [24], refetchInterval: 20_000 }
    const { seen } = watchAll(client, [token(1), token(2)], options)
    await pass(19_000)
    expect(kit.service.asked).toHaveLength(length)
    kit.service.prices.set(keyOf(token()), 3)
    await pass(2000)
    expect(seen.at(-1)?.data?.[0]?.price_usd).toBe(3)
    expect(kit.service.asked.slice(length)).toMatchObject([{ operation: 'balances', offsets: [] }])
    await pass(45_000)
    expect(seen.at(-1)?.data?.[1]?.changes?.[0]?.percent).toBeCloseTo(24)
    expect(kit.service.asked.filter(({ offsets }) => offsets.length > 0)).toHaveLength(1)
  })

  it('are not asked for by a hidden page, which learns the price from elsewhere', async () => {
    hold([1])
    const client = create()
    watch(client, token(), { historicalPrices: [1] })
    await pass(0)
    focusManager.setFocused(false)
    const { length } = kit.service.asked
    for (let time = 0; time < 10; time++) {
      await pass(180_000)
      kit.service.prices.set(keyOf(token()), time + 2)
      const answer = await getBalances(create(), { address: wallet, chainIds: [1] })
      const key = ['headwater', 'https://example.org', 'balances', { address: wallet }]
      client.queryClient.setQueryData(key, answer)
    }
    await pass(1000)
    expect(kit.service.asked.slice(length).filter(({ offsets }) => offsets.length > 0)).toEqual([])
    focusManager.setFocused(true)
    await pass(20_000)
    expect(kit.service.asked.filter(({ offsets }) => offsets.length > 0)).toHaveLength(2)
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
    kit.service.past = () => null
    const { seen } = watch(create(), token(), { historicalPrices: [24] })
    await pass(20_000)
    expect(seen.at(-1)?.data?.changes).toEqual([{ offset_hours: 24 }])
    expect(kit.service.asked.filter(({ offsets }) => offsets.length > 0)).toHaveLength(1)
  })

  it('come from token info where a single balance does not tell them', async () => {
    kit.service.row = (row) => {
      if ('amount' in row && kit.service.asked.at(-1)?.operation === 'tokenBalance') {
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
    kit.service.row = (row) => ({ ...row, historical_prices: undefined })
    const { seen } = watch(create(), token(), { historicalPrices: [24] })
    await pass(50_000)
    expect(seen.at(-1)).toMatchObject({
      status: 'success',
      data: { changes: [{ offset_hours: 24 }] },
    })
    expect(
      kit.service.asked.filter(({ offsets }) => offsets.length > 0).length,
    ).toBeLessThanOrEqual(2)
  })

  it('are no longer shown when they are of another day', async () => {
    const { seen } = watch(create(), token(), { historicalPrices: [24] })
    await pass(0)
    kit.service.instead = ({ offsets }) =>
      offsets.length > 0 ? json({}, { status: 500 }) : undefined
    focusManager.setFocused(false)
    await pass(5 * 3_600_000)
    kit.service.past = () => null
    kit.service.row = (row) => ({ ...row, historical_prices: undefined })
    kit.service.instead = () => undefined
    focusManager.setFocused(true)
    await pass(5000)
    expect(seen.at(-1)?.data?.changes).toEqual([{ offset_hours: 24 }])
  })
})
