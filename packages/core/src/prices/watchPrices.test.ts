import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json, refusing } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { getBalances } from '../operations/balances.ts'
import { getPriceIndex } from './PriceIndex.ts'
import { watchPrices } from './watchPrices.ts'

const kit = pricesInFakeTime()
const { create, watch, watchAll, hold } = kit

describe('many prices', () => {
  it('are one list in the order asked for, told once an answer', async () => {
    hold(upTo(40))
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    const { seen } = watchAll(
      client,
      upTo(40)
        .reverse()
        .map((each) => token(each)),
    )
    expect(seen).toHaveLength(1)
    for (const each of upTo(40)) {
      kit.service.prices.set(keyOf(token(each)), each + 1)
    }
    await pass(10_000)
    expect(seen).toHaveLength(2)
    expect(seen.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual(
      upTo(40)
        .map((each) => each + 1)
        .reverse(),
    )
    expect(kit.service.units).toBe(2)
  })

  it('are shown as far as they are known, with an error while one cannot be learned', async () => {
    kit.service.instead = ({ tokens }) =>
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
    kit.service.instead = refusing(402)
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
    const price = getPriceIndex(client).get(1, numberedAddress(1))
    expect(price.watchers.size).toBe(0)
    expect(price.loading).toBeUndefined()
    expect(kit.service.units).toBeLessThanOrEqual(5)
  })

  it('are asked for twenty at once, where each takes a request of its own', async () => {
    kit.service.delay = () => 1000
    const tokens = [1, 10].flatMap((chainId) => upTo(40).map((each) => token(each, chainId)))
    const { seen } = watchAll(create(), tokens, { refetchInterval: false })
    for (const most of [20, 40, 60, 80, 80]) {
      await pass(500)
      expect(kit.service.asked).toHaveLength(most)
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
    expect(kit.service.asked).toHaveLength(1)
  })
})
