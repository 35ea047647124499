import { environmentManager, focusManager, QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balancesResponse } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { never, rejectWith } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { watchResponses } from '../../test/watchResponses.ts'
import { createClient } from '../client/createClient.ts'
import { balancesQueryOptions } from '../operations/balances.ts'
import { watchPrice } from '../prices/watchPrices.ts'
import { firstSettled } from '../snapshots/firstSettled.ts'
import { pendingState } from './Pollable.ts'
import { Poller } from './Poller.ts'

const { service, create, watch } = responsesInFakeTime()

describe('the poller', () => {
  it('polls at the shortest interval of all subscribers, and slows down when they leave', async () => {
    const client = create()
    watch(client, { refetchInterval: 60_000 })
    await advance(0)
    const fast = watch(client, { refetchInterval: 1000 })
    await advance(10_000)
    expect(service.requests.length).toBeGreaterThanOrEqual(9)
    expect(service.requests.length).toBeLessThanOrEqual(11)
    fast.subscription.unsubscribe()
    const before = service.requests.length
    await advance(30_000)
    expect(service.requests.length).toBe(before)
    await advance(31_000)
    expect(service.requests.length).toBe(before + 1)
  })

  it('schedules from the latest response, also of a refetch', async () => {
    const client = create()
    const { emitted } = watch(client)
    await advance(6000)
    await emitted.at(-1)?.refetch()
    await advance(6000)
    expect(service.requests).toHaveLength(2)
    await advance(4200)
    expect(service.requests).toHaveLength(3)
  })

  it('uses one timer for many queries', async () => {
    const client = create()
    for (let limit = 1; limit <= 200; limit++) {
      watch(client, {}, { limit })
    }
    await advance(0)
    expect(service.requests).toHaveLength(200)
    expect(vi.getTimerCount()).toBe(1)
    await advance(10_100)
    expect(service.requests).toHaveLength(400)
    expect(vi.getTimerCount()).toBe(1)
  })

  it('polls the longest overdue first when a budget delays polls', async () => {
    const poller = new Poller(true)
    let delay = Infinity
    poller.throttle = {
      changedAt: () => 0,
      getIntervalMultiplier: () => 1,
      getDelay: () => delay,
    }
    const polled: number[] = []
    for (const interval of [3000, 1000, 2000]) {
      poller.add({
        interval,
        cost: 1,
        state: { ...pendingState, status: 'success', dataUpdatedAt: Date.now() },
        poll: () => Promise.resolve(void polled.push(interval)),
      })
    }
    await advance(5000)
    expect(polled).toEqual([])
    delay = 0
    poller.pollDue()
    expect(polled).toEqual([1000, 2000, 3000])
    poller.destroy()
  })

  it('does not poll while a request is in flight', async () => {
    service.respond = never
    watch(create(), { refetchInterval: 1000 })
    await advance(20_000)
    expect(service.requests).toHaveLength(1)
  })

  it.each([false, 0, Number.NaN, -1] as (number | false)[])(
    'does not poll at an interval of %s',
    async (refetchInterval) => {
      watch(create(), { refetchInterval })
      await advance(60_000)
      expect(service.requests).toHaveLength(1)
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('does not repeat a cancelled poll immediately', async () => {
    const client = create()
    service.respond = rejectWith(404)
    watch(client)
    await advance(0)
    service.respond = never
    await advance(20_100)
    expect(service.requests).toHaveLength(2)
    await client.queryClient.cancelQueries()
    await advance(19_000)
    expect(service.requests).toHaveLength(2)
    await advance(2000)
    expect(service.requests).toHaveLength(3)
  })

  it('continues after the clock was set back, and polls once after a suspension', async () => {
    watch()
    await advance(0)
    vi.setSystemTime(Date.now() - 3_600_000)
    await advance(10_200)
    expect(service.requests).toHaveLength(2)
    vi.setSystemTime(Date.now() + 8 * 3_600_000)
    await advance(10_200)
    expect(service.requests).toHaveLength(3)
  })

  it('polls new queries after a suspension while the timer of a slow one is overdue', async () => {
    const client = create()
    watch(client, { refetchInterval: 3_600_000 }, { limit: 1 })
    await advance(0)
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    watch(client, { refetchInterval: 500 }, { limit: 2 })
    await advance(4000)
    expect(service.requests.filter(({ url }) => url.includes('limit=1')).length).toBe(2)
    expect(service.requests.filter(({ url }) => url.includes('limit=2')).length).toBeGreaterThan(5)
  })

  it('detects a suspension within about a minute', async () => {
    watch(create(), { refetchInterval: 3_600_000 })
    await advance(0)
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    await advance(61_000)
    expect(service.requests).toHaveLength(2)
  })

  it('respects Retry-After after the clock was set back', async () => {
    watch()
    await advance(0)
    vi.setSystemTime(Date.now() - 3_600_000)
    service.respond = rejectWith(429, { 'retry-after': '60' })
    await advance(60_000)
    expect(service.requests).toHaveLength(2)
    await advance(12_000)
    expect(service.requests).toHaveLength(3)
  })

  it('backs off while the cache contains a response with a future time', async () => {
    const client = create()
    const { queryKey } = balancesQueryOptions(client, { address })
    const updatedAt = Date.now() + 3_600_000
    client.queryClient.setQueryData(queryKey, balancesResponse(), { updatedAt })
    service.respond = rejectWith(404)
    watch(client)
    await advance(9000)
    expect(service.requests).toEqual([])
    // After 10 seconds, 20 more and 40 more.
    await advance(66_000)
    expect(service.requests).toHaveLength(3)
  })
})

describe('the poller with a short interval', () => {
  it('polls at most every 100 ms', async () => {
    watch(create(), { refetchInterval: 1 })
    await advance(1050)
    expect(service.requests).toHaveLength(11)
  })
})

describe('the poller of a client without `ssr` and `window`', () => {
  /** A client that detects the runtime itself. */
  const createDefault = () => createClient({ baseUrl: 'https://example.org', fetch: service.fetch })
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  beforeEach(() => warned.mockClear())

  it('does not warn when nothing expects polls', async () => {
    const client = createDefault()
    const settled = firstSettled(watchResponses(client, { address }))
    await advance(0)
    expect(await settled).toMatchObject({ status: 'success' })
    watch(client, { refetchInterval: false }, { limit: 1 })
    watch(client, { enabled: false }, { limit: 2 })
    watch(create({ ssr: true }))
    vi.stubEnv('NODE_ENV', 'production')
    const inProduction = createDefault()
    vi.unstubAllEnvs()
    watch(inProduction)
    await advance(60_000)
    expect(warned).not.toHaveBeenCalled()
    client.destroy()
    inProduction.destroy()
  })

  it('warns once that it does not poll', async () => {
    const client = createDefault()
    const { subscription } = watch(client)
    await advance(14_000)
    subscription.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
    record(watchPrice(client, { chainId: 1, address: 'native' }))
    watch(client)
    await advance(60_000)
    expect(warned).toHaveBeenCalledOnce()
    expect(warned.mock.calls[0]?.[0]).toMatch('`ssr: false`')
    client.destroy()
  })
})

describe('the poller on a shared cache', () => {
  // query-core 5.75 does not export it.
  const environment = environmentManager as typeof environmentManager | undefined
  beforeEach(() => environment?.setIsServer(() => false))
  afterEach(() => environment?.setIsServer(() => true))

  it('ignores refetch options of the cache', async () => {
    const queries = {
      refetchInterval: 1000,
      refetchOnWindowFocus: 'always',
      refetchOnReconnect: 'always',
    } as const
    watch(create({ queryClient: new QueryClient({ defaultOptions: { queries } }) }))
    await advance(3000)
    focusManager.setFocused(false)
    focusManager.setFocused(true)
    await advance(6000)
    expect(service.requests).toHaveLength(1)
    await advance(2000)
    expect(service.requests).toHaveLength(2)
  })
})
