import { focusManager, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { getBalances } from '../operations/balances.ts'
import { firstSettled } from '../snapshots/firstSettled.ts'
import { getPriceIndex } from './PriceIndex.ts'
import { type PricesSnapshot, watchPrices } from './watchPrices.ts'

const kit = pricesInFakeTime()
const { create, watch, watchAll, hold } = kit

/** The service knows nothing about these tokens. */
const fail = (...numbers: number[]) => {
  const keys = numbers.map((number) => keyOf(token(number)))
  kit.service.override = ({ tokens }) =>
    tokens.some((key) => keys.includes(key)) ? json({ error: 'No' }, { status: 404 }) : undefined
}
const readPrices = (snapshot: PricesSnapshot | undefined) =>
  snapshot?.data?.map((tick) => tick?.price_usd)

describe('a list of prices', () => {
  it('has the order of its tokens, and emits once per response', async () => {
    hold(upTo(40))
    const client = create()
    getPriceIndex(client)
    await getBalances(client, { address: wallet, chainIds: [1] })
    const { emitted } = watchAll(
      client,
      upTo(40)
        .reverse()
        .map((each) => token(each)),
    )
    expect(emitted).toHaveLength(1)
    for (const each of upTo(40)) {
      kit.service.prices.set(keyOf(token(each)), each + 1)
    }
    await advance(10_000)
    expect(emitted).toHaveLength(2)
    expect(emitted.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual(
      upTo(40)
        .map((each) => each + 1)
        .reverse(),
    )
    expect(kit.service.units).toBe(2)
  })

  it('contains the known prices, and the error of one that cannot be loaded', async () => {
    fail(2)
    const { emitted } = watchAll(create(), [token(1), token(2), token(3)])
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({
      status: 'success',
      error: null,
      isPartialData: false,
      errors: [null, { status: 404 }, null],
    })
    expect(readPrices(emitted.at(-1))).toEqual([1, undefined, 3])
    kit.service.override = () => undefined
    await advance(30_100)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', errors: [null, null, null] })
    expect(readPrices(emitted.at(-1))).toEqual([1, 2, 3])
  })

  it('is pending while the others are awaited, and settles when all are', async () => {
    fail(1)
    // Of the first token, a balance and token info are requested.
    kit.service.delay = ({ tokens }) => 500 * Number(tokens[0]?.slice(-1))
    const tokens = [token(1), token(4), token(8)]
    const { emitted, stream } = watchAll(create(), tokens)
    const settled = firstSettled(stream)
    await advance(2500)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', isPartialData: true })
    expect(readPrices(emitted.at(-1))).toEqual([undefined, 4, undefined])
    await advance(2000)
    expect(
      emitted.map(({ status, errors, isPartialData }) => [
        status,
        errors.map((error) => error?.name ?? null),
        isPartialData,
      ]),
    ).toEqual([
      ['pending', [null, null, null], false],
      ['pending', ['HttpError', null, null], false],
      ['success', ['HttpError', null, null], true],
      ['success', ['HttpError', null, null], false],
    ])
    expect(readPrices(await settled)).toEqual([undefined, 4, 8])
  })

  it('is partial while placeholder data is shown', async () => {
    const placeholderData = [5, 6].map((price_usd) => ({
      price_usd,
      observedAt: 0,
      source: 'balances' as const,
      lowLiquidity: false,
    }))
    const stream = watchPrices(create(), [token(1), token(2)], { placeholderData })
    const settled = firstSettled(stream)
    expect(readPrices(stream.getSnapshot())).toEqual([5, 6])
    expect(stream.getSnapshot()).toMatchObject({ isPlaceholderData: true, isPartialData: true })
    await advance(0)
    expect(readPrices(await settled)).toEqual([1, 2])
    expect(await settled).toMatchObject({ isPlaceholderData: false, isPartialData: false })
  })

  it('is an error while all tokens fail, beside the latest prices', async () => {
    const { emitted } = watchAll(create(), [token(1), token(2)])
    await advance(0)
    fail(1, 2)
    await advance(10_100)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status: 404 } })
    expect(readPrices(emitted.at(-1))).toEqual([1, 2])
    const unknown = watchAll(create(), [token(1), token(2)])
    await advance(0)
    expect(unknown.emitted.at(-1)).toMatchObject({
      status: 'error',
      data: undefined,
      errors: [{ status: 404 }, { status: 404 }],
    })
  })

  it('has the error of an invalid token at its position', async () => {
    const { emitted } = watchAll(create(), [{ chainId: 1, address: '0x12' }, token(2)])
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({
      status: 'success',
      isPartialData: false,
      errors: [{ name: 'InvalidParameterError' }, null],
    })
    expect(readPrices(emitted.at(-1))).toEqual([undefined, 2])
    expect(kit.service.requests).toHaveLength(1)
    await emitted.at(-1)?.refetch()
    expect(kit.service.requests).toHaveLength(2)
    const missing = watchAll(create(), [token(2), undefined as never])
    await advance(0)
    expect(missing.emitted.at(-1)).toMatchObject({ errors: [null, { parameter: 'chainId' }] })
    expect(readPrices(missing.emitted.at(-1))).toEqual([2, undefined])
  })

  it.each([null, '', 'native', token(), 5n, {}])('is an error if it is %o', async (tokens) => {
    const client = create()
    const { emitted, stream } = watchAll(client, tokens as never)
    const error = { name: 'InvalidParameterError', parameter: 'tokens' }
    expect(emitted).toMatchObject([{ status: 'error', data: undefined, error, errors: [error] }])
    await emitted[0]?.refetch()
    expect(watchPrices(client, [token()])).not.toBe(stream)
    expect(kit.service.requests).toHaveLength(0)
  })

  it('is an error if its offsets are not a list', () => {
    const { emitted } = watchAll(create(), [token()], { historicalPrices: 24 as never })
    expect(emitted).toMatchObject([{ status: 'error', error: { parameter: 'historicalPrices' } }])
  })

  it('does not change when the caller mutates its array', async () => {
    const tokens = [token(1)]
    const client = create()
    const stream = watchPrices(client, tokens)
    tokens[0] = token(3)
    const { emitted } = watchAll(client, [token(1)])
    await advance(0)
    expect(watchPrices(client, [token(1)])).toBe(stream)
    expect(emitted.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual([1])
  })

  it('emits once when several prices fail together', async () => {
    kit.service.override = rejectWith(402)
    const tokens = upTo(20).map((each) => token(each))
    const { emitted } = watchAll(create(), tokens)
    await advance(0)
    expect(emitted.map(({ status }) => status)).toEqual(['pending', 'error'])
  })

  it('leaves no timer or listener after many subscriptions', async () => {
    const client = create({ queryClient: new QueryClient() })
    for (let cycle = 0; cycle < 1000; cycle++) {
      watchAll(client, [token(1), token(2)]).subscription.unsubscribe()
      watch(client, token(1), { historicalPrices: [1 + (cycle % 3)] }).subscription.unsubscribe()
    }
    await advance(1000)
    client.queryClient.getQueryCache().clear()
    expect(vi.getTimerCount()).toBe(0)
    const price = getPriceIndex(client).get(1, numberedAddress(1))
    expect(price.observers.size).toBe(0)
    expect(price.loading).toBeUndefined()
    expect(kit.service.units).toBeLessThanOrEqual(5)
  })

  it('sends at most twenty requests at once', async () => {
    kit.service.delay = () => 1000
    const tokens = [1, 10].flatMap((chainId) => upTo(40).map((each) => token(each, chainId)))
    const { emitted } = watchAll(create(), tokens, { refetchInterval: false })
    for (const most of [20, 40, 60, 80, 80]) {
      await advance(500)
      expect(kit.service.requests).toHaveLength(most)
      await advance(500)
    }
    expect(emitted.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual([...upTo(40), ...upTo(40)])
  })

  it('sends nothing more once it was left', async () => {
    kit.service.delay = () => 100
    const client = create()
    const tokens = upTo(40).map((each) => token(each))
    const list = watchAll(client, [...tokens, ...upTo(40).map((each) => token(each, 10))])
    // Another stream watches one of them.
    const { emitted } = watch(client, token(40, 10))
    await advance(50)
    list.subscription.unsubscribe()
    await advance(10_000)
    expect(kit.service.requests).toHaveLength(21)
    expect(emitted.at(-1)?.data?.price_usd).toBe(40)
    expect(client.getUsage().spent).toBe(21)
    // It is requested for the next subscriber.
    const again = watchAll(client, tokens)
    await advance(1000)
    expect(readPrices(again.emitted.at(-1))).toEqual(upTo(40))
  })

  it('sends what refetch requests without subscribers', async () => {
    kit.service.delay = () => 100
    const client = create()
    const { stream, subscription } = watchAll(
      client,
      upTo(40).map((each) => token(each)),
    )
    await advance(50)
    subscription.unsubscribe()
    void stream.getSnapshot().refetch()
    await advance(1000)
    expect(readPrices(stream.getSnapshot())).toEqual(upTo(40))
  })

  it('may be empty or contain a token twice', async () => {
    expect(watchAll(create(), []).emitted).toMatchObject([{ status: 'success', data: [] }])
    const { emitted, subscription } = watchAll(create(), [
      token(),
      { ...token(), address: token().address.toUpperCase().replace('0X', '0x') },
    ])
    await advance(0)
    expect(emitted.at(-1)?.data?.map((tick) => tick?.price_usd)).toEqual([1, 1])
    expect(kit.service.requests).toHaveLength(1)
    subscription.unsubscribe()
    expect(focusManager.hasListeners()).toBe(false)
  })
})
