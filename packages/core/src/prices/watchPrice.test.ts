import { focusManager, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, never } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { watchPrice } from './watchPrices.ts'

const kit = pricesInFakeTime()
const { create, operations, watch, watchAll } = kit

describe('a price that no other response contains', () => {
  it('is requested as a single balance, and again after the interval', async () => {
    const { emitted } = watch()
    expect(emitted).toMatchObject([{ status: 'pending', data: undefined }])
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({
      status: 'success',
      data: { price_usd: 1, source: 'tokenBalance', lowLiquidity: false, observedAt: Date.now() },
    })
    kit.service.prices.set(keyOf(token()), 2)
    await advance(10_000)
    expect(emitted.at(-1)?.data?.price_usd).toBe(2)
    expect(operations()).toEqual(['tokenBalance', 'tokenBalance'])
    expect(emitted).toHaveLength(3)
  })

  it('emits nothing while it is unchanged', async () => {
    const { emitted, stream } = watch()
    await advance(60_100)
    expect(kit.service.requests).toHaveLength(7)
    expect(emitted).toHaveLength(2)
    expect(stream.getSnapshot()).toBe(emitted.at(-1))
  })

  it('costs one request and one emission per round for many streams', async () => {
    const client = create()
    // Many subscribers of one stream, and many different streams.
    const one = upTo(100).map(() => watch(client))
    const many = upTo(100).map((each) => watch(client, token(), { staleTime: 10_000 + each }))
    await advance(0)
    kit.service.prices.set(keyOf(token()), 2)
    await advance(10_000)
    expect(kit.service.requests).toHaveLength(2)
    for (const { emitted } of [...one, ...many]) {
      expect(emitted.map(({ data }) => data?.price_usd)).toEqual([undefined, 1, 2])
    }
    expect(new Set(one.map(({ stream }) => stream)).size).toBe(1)
    expect(vi.getTimerCount()).toBeLessThan(10)
  })

  it('is polled at the shortest interval of all subscribers', async () => {
    const client = create()
    watch(client, token(), { refetchInterval: 60_000 })
    await advance(0)
    const { subscription } = watch(client, token(), { refetchInterval: 5000 })
    await advance(20_100)
    expect(kit.service.requests).toHaveLength(5)
    subscription.unsubscribe()
    await advance(40_000)
    expect(kit.service.requests).toHaveLength(5)
  })

  it.each([false, 0] as (number | false)[])(
    'is not polled at an interval of %s',
    async (refetchInterval) => {
      watch(create(), token(), { refetchInterval })
      await advance(60_000)
      expect(kit.service.requests).toHaveLength(1)
    },
  )

  it('is not requested by a disabled stream, which emits what others load', async () => {
    const client = create()
    const { emitted } = watch(client, token(), { enabled: false })
    await advance(30_000)
    expect(kit.service.requests).toHaveLength(0)
    watch(client)
    await advance(0)
    expect(emitted.map(({ data }) => data?.price_usd)).toEqual([undefined, 1])
  })

  it('replays synchronously, and is not requested while it is fresh', async () => {
    const client = create()
    watch(client).subscription.unsubscribe()
    await advance(5000)
    expect(watch(client).emitted).toMatchObject([{ status: 'success', data: { price_usd: 1 } }])
    await advance(0)
    expect(kit.service.requests).toHaveLength(1)
    await advance(6000)
    expect(kit.service.requests).toHaveLength(2)
  })

  it('is fresh for the staleTime of the stream, else of the query client', async () => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
    const client = create({ queryClient })
    for (const staleTime of [undefined, undefined, 1000]) {
      watch(client, token(), {
        refetchInterval: false,
        ...(staleTime !== undefined && { staleTime }),
      }).subscription.unsubscribe()
      await advance(3_600_000)
      expect(kit.service.requests).toHaveLength(staleTime === undefined ? 1 : 2)
    }
  })

  it('is requested for a subscriber that replaces another one only if it is old', async () => {
    const client = create()
    const options = { refetchInterval: false as const, staleTime: 0 }
    let { subscription } = watch(client, token(), options)
    for (const [age, requests] of [
      [5000, 1],
      [5000, 2],
      [5000, 2],
    ] as const) {
      await advance(age)
      subscription.unsubscribe()
      subscription = watch(client, token(), options).subscription
      await advance(0)
      expect(kit.service.requests).toHaveLength(requests)
    }
  })

  it('is released without subscribers, and leaves no timer', async () => {
    const client = create()
    const { subscription } = watch(client, token(), { historicalPrices: [1, 24, 48, 72] })
    watchAll(client, [token(), token(2)]).subscription.unsubscribe()
    await advance(0)
    subscription.unsubscribe()
    client.queryClient.clear()
    expect(vi.getTimerCount()).toBe(0)
    const { length } = kit.service.requests
    await advance(60_000)
    expect(kit.service.requests).toHaveLength(length)
  })

  it('pauses while the page is hidden, and is requested once when it is visible again', async () => {
    watch()
    await advance(0)
    focusManager.setFocused(false)
    await advance(60_000)
    expect(kit.service.requests).toHaveLength(1)
    focusManager.setFocused(true)
    await advance(0)
    expect(kit.service.requests).toHaveLength(2)
  })

  it('is requested when a retry paused, and the page became visible without a stream', async () => {
    const client = create()
    kit.service.override = () => json({ error: 'No' }, { status: 503 })
    const { subscription } = watch(client)
    await advance(100)
    focusManager.setFocused(false)
    await advance(10_000)
    subscription.unsubscribe()
    kit.service.override = () => undefined
    focusManager.setFocused(true)
    await advance(1000)
    const { emitted } = watch(client)
    await advance(1000)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 1 } })
  })

  it('is requested once on a server, and never polled', async () => {
    const { emitted } = watch(create({ ssr: true }))
    await advance(0)
    expect(emitted.at(-1)?.data?.price_usd).toBe(1)
    await advance(60_000)
    expect(kit.service.requests).toHaveLength(1)
  })

  it('completes when its client is destroyed, and aborts its request', async () => {
    kit.service.delay = () => 5000
    const client = create({ queryClient: new QueryClient() })
    const complete = vi.fn()
    watchPrice(client, token()).subscribe({ complete })
    await advance(100)
    client.destroy()
    expect(complete).toHaveBeenCalledOnce()
    await advance(10_000)
    expect(client.queryClient.isFetching()).toBe(0)
    expect(watch(client).emitted).toMatchObject([{ status: 'error', data: undefined }])
    expect(kit.service.requests).toHaveLength(1)
  })

  it('is requested by refetch, which joins a request in flight', async () => {
    kit.service.delay = () => 100
    const { emitted } = watch()
    await advance(200)
    kit.service.prices.set(keyOf(token()), 3)
    const first = emitted.at(-1)?.refetch()
    const second = emitted.at(-1)?.refetch()
    await advance(100)
    await Promise.all([first, second])
    expect(emitted.at(-1)?.data?.price_usd).toBe(3)
    expect(kit.service.requests).toHaveLength(2)
  })

  it('is requested again when another client on the same cache was destroyed during its request', async () => {
    const queryClient = new QueryClient()
    const first = create({ queryClient, fetch: never })
    watch(first)
    const { emitted } = watch(create({ queryClient }), token(), { refetchInterval: false })
    await advance(100)
    first.destroy()
    await advance(0)
    expect(emitted.map(({ status }) => status)).toEqual(['pending', 'success'])
    expect(operations()).toEqual(['tokenBalance'])
  })

  it('supports select and placeholderData', async () => {
    const { emitted } = record(
      watchPrice(create(), token(), {
        select: ({ price_usd }) => price_usd,
        placeholderData: { price_usd: 7, observedAt: 0, source: 'balances', lowLiquidity: false },
      }),
    )
    await advance(0)
    expect(emitted).toMatchObject([
      { data: 7, isPlaceholderData: true },
      { data: 1, isPlaceholderData: false },
    ])
  })
})
