import { describe, expect, it, vi } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import type { Client } from '../client/Client.ts'
import {
  balancesQueryFilter,
  balancesQueryOptions,
  getBalances,
  watchBalances,
} from '../operations/balances.ts'
import { watchTokenBalance } from '../operations/tokenBalance.ts'
import { watchTokenInfo } from '../operations/tokenInfo.ts'
import { getPriceIndex } from './PriceIndex.ts'

const kit = pricesInFakeTime()
const { create, operations, watch, watchAll, hold } = kit

describe('a price in the response of a wallet', () => {
  it('is free while the wallet is polled as often', async () => {
    hold(upTo(40), [1])
    const client = create()
    const emitted = upTo(40).map((each) => watch(client, token(each)).emitted)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await advance(60_100)
    expect(operations()).toEqual(Array.from({ length: 7 }, () => 'balances'))
    expect(kit.service.units).toBe(7)
    expect(emitted.map((each) => each.at(-1)?.data?.price_usd)).toEqual(upTo(40))
    expect(emitted[0]?.at(-1)?.data?.source).toBe('balances')
    // It is not part of the demand on the budget either.
    expect(getPriceIndex(client).get(1, numberedAddress(1)).cost).toBe(0)
  })

  it('is awaited for a limited time while the wallet is in flight', async () => {
    hold([1])
    kit.service.delay = ({ operation }) => (operation === 'balances' ? 60_000 : 0)
    const client = create()
    const { emitted } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await advance(2900)
    expect(operations()).toEqual(['balances'])
    await advance(200)
    expect(operations()).toEqual(['balances', 'tokenBalance'])
    expect(emitted.at(-1)?.data?.price_usd).toBe(1)
  })

  it('is requested after the request of a wallet that it waited for was cancelled', async () => {
    hold([1])
    const client = create()
    const parameters = { address: wallet, chainIds: [1] }
    await client.queryClient.fetchQuery(balancesQueryOptions(client, parameters))
    kit.service.prices.set(keyOf(token()), 2)
    kit.service.delay = ({ operation }) => (operation === 'balances' ? 2000 : 0)
    await advance(60_000)
    const subscription = watchBalances(client, parameters).subscribe()
    const { emitted } = watch(client, token(), { refetchInterval: false })
    await advance(500)
    // The cache restores the response of before.
    subscription.unsubscribe()
    await advance(3000)
    expect(operations()).toEqual(['balances', 'balances', 'tokenBalance'])
    expect(emitted.map(({ data }) => data?.price_usd)).toEqual([1, 2])
  })

  it('does not wait for responses that cannot contain it', async () => {
    kit.service.delay = ({ operation, tokens }) =>
      operation === 'tokenBalance' && tokens.includes(keyOf(token())) ? 0 : 2000
    const client = create()
    const { emitted } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [10] }).subscribe()
    watchTokenInfo(client, { address: numberedAddress(2), chainIds: [1] }).subscribe()
    await advance(0)
    expect(emitted.at(-1)?.data?.price_usd).toBe(1)
  })

  it('is requested after the clock was set back, also while no stream polls the wallet', async () => {
    hold(upTo(5))
    const client = create()
    const emitted = upTo(5).map((each) => watch(client, token(each)).emitted)
    const wallets = { address: wallet, chainIds: [1] }
    watchBalances(client, wallets, { refetchInterval: false }).subscribe()
    await advance(1000)
    vi.setSystemTime(Date.now() - 3_600_000)
    kit.service.prices.set(keyOf(token()), 9)
    await advance(30_000)
    expect(emitted[0]?.at(-1)?.data?.price_usd).toBe(9)
    expect(operations().length).toBeLessThanOrEqual(4)
  })

  it('is requested additionally when the wallet is polled less often', async () => {
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
    await advance(50_100)
    // One unit per round for all five: that of the known wallet.
    expect(operations()).toEqual(Array.from({ length: 6 }, () => 'balances'))
    expect(kit.service.units).toBe(6)
    expect(getPriceIndex(client).get(1, numberedAddress(1)).cost).toBe(1 / 5)
  })

  it('is requested only for chains with due prices', async () => {
    hold(upTo(3), [1, 10])
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1, 10] })
    for (const each of [2, 3]) {
      watch(client, token(each, 10))
    }
    await advance(0)
    // The response of the promise contained it.
    expect(kit.service.requests).toHaveLength(1)
    await advance(10_000)
    expect(kit.service.requests.slice(1)).toMatchObject([
      { operation: 'balances', chainIds: [10], units: 1 },
    ])
  })

  it('is requested together with prices that are due at other times', async () => {
    hold(upTo(10))
    const client = create()
    watch(client, token(1))
    await advance(0)
    await getBalances(client, { address: wallet, chainIds: [1] })
    for (const each of upTo(10)) {
      watch(client, token(each))
      await advance(900)
    }
    const { units } = kit.service
    await advance(60_000)
    expect(kit.service.units - units).toBeLessThanOrEqual(7)
  })

  it('is requested separately when the wallet no longer holds the token', async () => {
    hold([1, 2])
    const client = create()
    const { emitted } = watch(client)
    watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await advance(0)
    expect(kit.service.units).toBe(1)
    kit.service.wallets.get(wallet)?.delete(keyOf(token()))
    kit.service.prices.set(keyOf(token()), 5)
    await advance(10_100)
    expect(emitted.at(-1)?.data?.price_usd).toBe(5)
    expect(operations()).toEqual(['balances', 'balances', 'tokenBalance'])
  })

  it.each([404, 403])(
    'is requested separately when the wallet fails permanently, with status %i',
    async (status) => {
      hold([1, 2])
      const client = create()
      getPriceIndex(client)
      await getBalances(client, { address: wallet, chainIds: [1] })
      kit.service.override = ({ operation }) =>
        operation === 'balances' ? json({ error: 'No' }, { status }) : undefined
      const { emitted } = watch(client)
      watch(client, token(2))
      kit.service.prices.set(keyOf(token()), 5)
      await advance(60_000)
      expect(emitted.map(({ data }) => data?.price_usd)).toContain(5)
      expect(operations()).toContain('tokenBalance')
    },
  )

  it('is requested separately from then on when a proxy rejects the wallet', async () => {
    hold(upTo(3))
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    kit.service.override = ({ operation }) =>
      operation === 'balances' ? json({ error: 'No' }, { status: 403 }) : undefined
    const { emitted } = watchAll(
      client,
      upTo(3).map((each) => token(each)),
      { staleTime: 0 },
    )
    await advance(60_000)
    expect(operations().filter((each) => each === 'balances')).toHaveLength(2)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', errors: [null, null, null] })
  })

  it.each([
    ['cleared', (client: Client) => client.queryClient.clear()],
    [
      'removed from the cache',
      (client: Client) => client.queryClient.removeQueries(balancesQueryFilter(client)),
    ],
  ])('is not requested with a wallet that was %s', async (_, remove) => {
    hold(upTo(5))
    const client = create()
    const tokens = upTo(5).map((each) => token(each))
    const options = { staleTime: 0 }
    const before = watchAll(client, tokens, options)
    const shown = watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await advance(10_100)
    shown.unsubscribe()
    before.subscription.unsubscribe()
    await advance(1000)
    remove(client)
    kit.service.requests.length = 0
    const { emitted } = watchAll(client, tokens, options)
    await advance(10_100)
    expect(emitted.at(-1)?.status).toBe('success')
    expect(operations()).toEqual(Array.from({ length: 10 }, () => 'tokenBalance'))
  })

  it('is not requested with the wallet of a request beside the cache, once that was cleared', async () => {
    hold(upTo(5))
    const client = create()
    const tokens = upTo(5).map((each) => token(each))
    const before = watchAll(client, tokens)
    await getBalances(client, { address: wallet, chainIds: [1] })
    await advance(10_100)
    before.subscription.unsubscribe()
    client.queryClient.clear()
    kit.service.requests.length = 0
    watchAll(client, tokens)
    await advance(30_000)
    expect(new Set(operations())).toEqual(new Set(['tokenBalance']))
  })

  it.each([500, 429])('stays with its wallet through an outage with status %i', async (status) => {
    hold(upTo(40))
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    const tokens = upTo(40).map((each) => token(each))
    const { emitted } = watchAll(client, tokens)
    kit.service.override = rejectWith(status)
    await advance(5 * 60_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status } })
    kit.service.override = () => undefined
    kit.service.prices.set(keyOf(token()), 5)
    await advance(6 * 60_000)
    expect(emitted.at(-1)?.data?.[0]?.price_usd).toBe(5)
    expect(new Set(operations())).toEqual(new Set(['balances']))
  })

  it.each(['tokenInfo', 'tokenBalance'] as const)(
    'is free beside a stream of its %s',
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
      await advance(30_100)
      expect(operations()).toEqual(Array.from({ length: 4 }, () => operation))
    },
  )
})
