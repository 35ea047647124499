import { describe, expect, it } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json, refusing } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { getBalances, watchBalances } from '../operations/balances.ts'
import { watchTokenBalance } from '../operations/tokenBalance.ts'
import { watchTokenInfo } from '../operations/tokenInfo.ts'
import { getPriceIndex } from './PriceIndex.ts'

const kit = pricesInFakeTime()
const { create, operations, watch, watchAll, hold } = kit

describe('a price that a wallet tells', () => {
  it('costs nothing while the wallet is polled as often', async () => {
    hold(upTo(40), [1])
    const client = create()
    const seen = upTo(40).map((each) => watch(client, token(each)).seen)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(60_100)
    expect(operations()).toEqual(Array.from({ length: 7 }, () => 'balances'))
    expect(kit.service.units).toBe(7)
    expect(seen.map((each) => each.at(-1)?.data?.price_usd)).toEqual(upTo(40))
    expect(seen[0]?.at(-1)?.data?.source).toBe('balances')
    // Nor is it counted as a demand on the budget.
    expect(getPriceIndex(client).get(1, numberedAddress(1)).cost).toBe(0)
  })

  it('waits for a wallet whose answer is under way, but not for long', async () => {
    hold([1])
    kit.service.delay = ({ operation }) => (operation === 'balances' ? 60_000 : 0)
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
    kit.service.delay = ({ operation, tokens }) =>
      operation === 'tokenBalance' && tokens.includes(keyOf(token())) ? 0 : 2000
    const client = create()
    const { seen } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [10] }).subscribe()
    watchTokenInfo(client, { address: numberedAddress(2), chainIds: [1] }).subscribe()
    await pass(0)
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
  })

  it('is asked for beside a wallet that is polled less often', async () => {
    hold(upTo(5))
    const client = create()
    for (const each of upTo(5)) {
      watch(client, token(each))
    }
    watchBalances(
      client,
      { address: wallet, chainIds: [1] },
      { refetchInterval: 60_000 },
    ).subscribe()
    await pass(50_100)
    // One unit a round for all five: of the wallet that is known, not of each token.
    expect(operations()).toEqual(Array.from({ length: 6 }, () => 'balances'))
    expect(kit.service.units).toBe(6)
    expect(getPriceIndex(client).get(1, numberedAddress(1)).cost).toBe(1 / 5)
  })

  it('is asked for on the chains where prices are due only', async () => {
    hold(upTo(3), [1, 10])
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1, 10] })
    for (const each of [2, 3]) {
      watch(client, token(each, 10))
    }
    await pass(0)
    // The promise told it.
    expect(kit.service.asked).toHaveLength(1)
    await pass(10_000)
    expect(kit.service.asked.slice(1)).toMatchObject([
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
    const { units } = kit.service
    await pass(60_000)
    expect(kit.service.units - units).toBeLessThanOrEqual(7)
  })

  it('is asked for by itself once the wallet holds it no longer', async () => {
    hold([1, 2])
    const client = create()
    const { seen } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(0)
    expect(kit.service.units).toBe(1)
    kit.service.wallets.get(wallet)?.delete(keyOf(token()))
    kit.service.prices.set(keyOf(token()), 5)
    await pass(10_100)
    expect(seen.at(-1)?.data?.price_usd).toBe(5)
    expect(operations()).toEqual(['balances', 'balances', 'tokenBalance'])
  })

  it('is asked for by itself when the service refuses the wallet for good', async () => {
    hold([1, 2])
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    kit.service.instead = ({ operation }) =>
      operation === 'balances' ? json({ error: 'No' }, { status: 404 }) : undefined
    const { seen } = watch(client)
    watch(client, token(2))
    kit.service.prices.set(keyOf(token()), 5)
    await pass(60_000)
    expect(seen.map(({ data }) => data?.price_usd)).toContain(5)
    expect(operations()).toContain('tokenBalance')
  })

  it.each([500, 429])('stays with its wallet through an outage of status %i', async (status) => {
    hold(upTo(40))
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    const tokens = upTo(40).map((each) => token(each))
    const { seen } = watchAll(client, tokens)
    kit.service.instead = refusing(status)
    await pass(5 * 60_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status } })
    kit.service.instead = () => undefined
    kit.service.prices.set(keyOf(token()), 5)
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
      if (operation === 'tokenInfo') {
        watchTokenInfo(client, { address, chainIds: [chainId] }).subscribe()
      } else {
        watchTokenBalance(client, {
          address: wallet,
          tokenAddress: address,
          chainIds: [chainId],
        }).subscribe()
      }
      await pass(30_100)
      expect(operations()).toEqual(Array.from({ length: 4 }, () => operation))
    },
  )
})
