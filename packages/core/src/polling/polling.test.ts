import { environmentManager, focusManager, QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balancesResponse } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { never, refusing } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { service, create, watch } = responsesInFakeTime()

describe('polling', () => {
  it('asks at the shortest interval that anybody wants, and slows down when they left', async () => {
    const client = create()
    watch(client, { refetchInterval: 60_000 })
    await pass(0)
    const fast = watch(client, { refetchInterval: 1000 })
    await pass(10_000)
    expect(service.asked.length).toBeGreaterThanOrEqual(9)
    expect(service.asked.length).toBeLessThanOrEqual(11)
    fast.subscription.unsubscribe()
    const before = service.asked.length
    await pass(30_000)
    expect(service.asked.length).toBe(before)
    await pass(31_000)
    expect(service.asked.length).toBe(before + 1)
  })

  it('counts from the newest answer, whoever asked for it', async () => {
    const client = create()
    const { seen } = watch(client)
    await pass(6000)
    await seen.at(-1)?.refetch()
    await pass(6000)
    expect(service.asked).toHaveLength(2)
    await pass(4200)
    expect(service.asked).toHaveLength(3)
  })

  it('keeps one timer for a thousand questions', async () => {
    const client = create()
    for (let limit = 1; limit <= 1000; limit++) {
      watch(client, {}, { limit })
    }
    await pass(0)
    expect(service.asked).toHaveLength(1000)
    expect(vi.getTimerCount()).toBe(1)
    await pass(10_100)
    expect(service.asked).toHaveLength(2000)
    expect(vi.getTimerCount()).toBe(1)
  })

  it('does not ask again while an answer is awaited', async () => {
    service.answer = never
    watch(create(), { refetchInterval: 1000 })
    await pass(20_000)
    expect(service.asked).toHaveLength(1)
  })

  it.each([false, 0, Number.NaN, -1] as (number | false)[])(
    'does not poll at an interval of %s',
    async (refetchInterval) => {
      watch(create(), { refetchInterval })
      await pass(60_000)
      expect(service.asked).toHaveLength(1)
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('does not make a poll again at once that somebody cancelled', async () => {
    const client = create()
    service.answer = refusing(404)
    watch(client)
    await pass(0)
    service.answer = never
    await pass(20_100)
    expect(service.asked).toHaveLength(2)
    await client.queryClient.cancelQueries()
    await pass(19_000)
    expect(service.asked).toHaveLength(2)
    await pass(2000)
    expect(service.asked).toHaveLength(3)
  })

  it('survives a clock that is set back, and asks once after a sleep', async () => {
    watch()
    await pass(0)
    vi.setSystemTime(Date.now() - 3_600_000)
    await pass(10_200)
    expect(service.asked).toHaveLength(2)
    vi.setSystemTime(Date.now() + 8 * 3_600_000)
    await pass(10_200)
    expect(service.asked).toHaveLength(3)
  })

  it('polls what is new after a sleep, while the timer of something slow stands still', async () => {
    const client = create()
    watch(client, { refetchInterval: 3_600_000 }, { limit: 1 })
    await pass(0)
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    watch(client, { refetchInterval: 500 }, { limit: 2 })
    await pass(4000)
    expect(service.asked.filter(({ url }) => url.includes('limit=1')).length).toBe(2)
    expect(service.asked.filter(({ url }) => url.includes('limit=2')).length).toBeGreaterThan(5)
  })

  it('notices within a minute or so that it slept, though nothing else happens', async () => {
    watch(create(), { refetchInterval: 3_600_000 })
    await pass(0)
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    await pass(61_000)
    expect(service.asked).toHaveLength(2)
  })

  it('does not storm a service that refuses after the clock was set back', async () => {
    watch()
    await pass(0)
    vi.setSystemTime(Date.now() - 3_600_000)
    service.answer = refusing(429, { 'retry-after': '60' })
    await pass(60_000)
    expect(service.asked).toHaveLength(2)
    await pass(12_000)
    expect(service.asked).toHaveLength(3)
  })

  it('does not storm a service that refuses while the cache holds an answer of the future', async () => {
    const client = create()
    const { queryKey } = balancesQueryOptions(client, { address })
    const updatedAt = Date.now() + 3_600_000
    client.queryClient.setQueryData(queryKey, balancesResponse(), { updatedAt })
    service.answer = refusing(404)
    watch(client)
    await pass(9000)
    expect(service.asked).toEqual([])
    // After 10 seconds, 20 more and 40 more.
    await pass(66_000)
    expect(service.asked).toHaveLength(3)
  })
})

describe('polling in a shared cache', () => {
  // query-core 5.90 does not export it.
  const environment = environmentManager as typeof environmentManager | undefined
  beforeEach(() => environment?.setIsServer(() => false))
  afterEach(() => environment?.setIsServer(() => true))

  it('is left to the poller, whatever the cache does by default', async () => {
    const queries = {
      refetchInterval: 1000,
      refetchOnWindowFocus: 'always',
      refetchOnReconnect: 'always',
    } as const
    watch(create({ queryClient: new QueryClient({ defaultOptions: { queries } }) }))
    await pass(3000)
    focusManager.setFocused(false)
    focusManager.setFocused(true)
    await pass(6000)
    expect(service.asked).toHaveLength(1)
    await pass(2000)
    expect(service.asked).toHaveLength(2)
  })
})
