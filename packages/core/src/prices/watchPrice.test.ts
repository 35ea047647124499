import { focusManager, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { pass, record } from '../../test/clientsInFakeTime.ts'
import { never } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { watchPrice } from './watchPrices.ts'

const kit = pricesInFakeTime()
const { create, operations, watch, watchAll } = kit

describe('a price that nothing else tells', () => {
  it('is asked for as a single balance, and again after the interval', async () => {
    const { seen } = watch()
    expect(seen).toMatchObject([{ status: 'pending', data: undefined }])
    await pass(0)
    expect(seen.at(-1)).toMatchObject({
      status: 'success',
      data: { price_usd: 1, source: 'tokenBalance', lowLiquidity: false, observedAt: Date.now() },
    })
    kit.service.prices.set(keyOf(token()), 2)
    await pass(10_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(2)
    expect(operations()).toEqual(['tokenBalance', 'tokenBalance'])
    expect(seen).toHaveLength(3)
  })

  it('emits nothing while it stays the same', async () => {
    const { seen, stream } = watch()
    await pass(60_100)
    expect(kit.service.asked).toHaveLength(7)
    expect(seen).toHaveLength(2)
    expect(stream.getSnapshot()).toBe(seen.at(-1))
  })

  it('is one request and one emission a round for a thousand streams of it', async () => {
    const client = create()
    // A thousand subscribers of one stream, and a thousand streams that differ.
    const one = upTo(1000).map(() => watch(client))
    const many = upTo(1000).map((each) => watch(client, token(), { staleTime: 10_000 + each }))
    await pass(0)
    kit.service.prices.set(keyOf(token()), 2)
    await pass(10_000)
    expect(kit.service.asked).toHaveLength(2)
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
    expect(kit.service.asked).toHaveLength(5)
    subscription.unsubscribe()
    await pass(40_000)
    expect(kit.service.asked).toHaveLength(5)
  })

  it.each([false, 0] as (number | false)[])(
    'is not polled at an interval of %s',
    async (refetchInterval) => {
      watch(create(), token(), { refetchInterval })
      await pass(60_000)
      expect(kit.service.asked).toHaveLength(1)
    },
  )

  it('is asked for by nobody who is not enabled, who sees all the same what others learn', async () => {
    const client = create()
    const { seen } = watch(client, token(), { enabled: false })
    await pass(30_000)
    expect(kit.service.asked).toHaveLength(0)
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
    expect(kit.service.asked).toHaveLength(1)
    await pass(6000)
    expect(kit.service.asked).toHaveLength(2)
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
      expect(kit.service.asked).toHaveLength(staleTime === undefined ? 1 : 2)
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
    const { length } = kit.service.asked
    await pass(60_000)
    expect(kit.service.asked).toHaveLength(length)
  })

  it('rests while the page is hidden, and is asked for once on return', async () => {
    watch()
    await pass(0)
    focusManager.setFocused(false)
    await pass(60_000)
    expect(kit.service.asked).toHaveLength(1)
    focusManager.setFocused(true)
    await pass(0)
    expect(kit.service.asked).toHaveLength(2)
  })

  it('is asked for once, and never polled, on a server', async () => {
    const { seen } = watch(create({ ssr: true }))
    await pass(0)
    expect(seen.at(-1)?.data?.price_usd).toBe(1)
    await pass(60_000)
    expect(kit.service.asked).toHaveLength(1)
  })

  it('completes with its client, and aborts what is under way', async () => {
    kit.service.delay = () => 5000
    const client = create({ queryClient: new QueryClient() })
    const complete = vi.fn()
    watchPrice(client, token()).subscribe({ complete })
    await pass(100)
    client.destroy()
    expect(complete).toHaveBeenCalledOnce()
    await pass(10_000)
    expect(client.queryClient.isFetching()).toBe(0)
    expect(watch(client).seen).toMatchObject([{ status: 'error', data: undefined }])
    expect(kit.service.asked).toHaveLength(1)
  })

  it('asks again by `refetch`, and joins what is under way', async () => {
    kit.service.delay = () => 100
    const { seen } = watch()
    await pass(200)
    kit.service.prices.set(keyOf(token()), 3)
    const [first, second] = [seen.at(-1)?.refetch(), seen.at(-1)?.refetch()]
    await pass(100)
    await Promise.all([first, second])
    expect(seen.at(-1)?.data?.price_usd).toBe(3)
    expect(kit.service.asked).toHaveLength(2)
  })

  it('is asked for again when another client on the same cache asked, and was destroyed', async () => {
    const queryClient = new QueryClient()
    const first = create({ queryClient, fetch: never })
    watch(first)
    const { seen } = watch(create({ queryClient }), token(), { refetchInterval: false })
    await pass(100)
    first.destroy()
    await pass(0)
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'success'])
    expect(operations()).toEqual(['tokenBalance'])
  })

  it('takes `select` and `placeholderData` as all streams do', async () => {
    const { seen } = record(
      watchPrice(create(), token(), {
        select: ({ price_usd }) => price_usd,
        placeholderData: { price_usd: 7, observedAt: 0, source: 'balances', lowLiquidity: false },
      }),
    )
    await pass(0)
    expect(seen).toMatchObject([
      { data: 7, isPlaceholderData: true },
      { data: 1, isPlaceholderData: false },
    ])
  })
})
