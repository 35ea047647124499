import { environmentManager, focusManager, onlineManager, QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balances } from '../../test/balances.ts'
import { clientsInFakeTime, pass } from '../../test/clientsInFakeTime.ts'
import { createFakeService, json } from '../../test/createFakeService.ts'
import { watchAnswers } from '../../test/watchAnswers.ts'
import { balancesQueryOptions } from '../balances/balancesQueryOptions.ts'
import type { BalancesResponse, Snapshot, WatchOptions } from '../index.ts'

let service: ReturnType<typeof createFakeService>
const create = clientsInFakeTime(() => service.fetch)
const refusing =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    json({ error: 'No' }, { status, headers })
const unreachable = () => Promise.reject(new TypeError('fetch failed'))

function watch(client = create(), options: WatchOptions<BalancesResponse> = {}, limit = 1) {
  const seen: Snapshot<BalancesResponse>[] = []
  const stream = watchAnswers(client, { address, limit }, options)
  const subscription = stream.subscribe((snapshot) => void seen.push(snapshot))
  return { seen, subscription, stream }
}

beforeEach(() => {
  service = createFakeService()
})

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
    for (let limit = 1; limit <= 1000; limit++) watch(client, {}, limit)
    await pass(0)
    expect(service.asked).toHaveLength(1000)
    expect(vi.getTimerCount()).toBe(1)
    await pass(10_100)
    expect(service.asked).toHaveLength(2000)
    expect(vi.getTimerCount()).toBe(1)
  })

  it('does not ask again while an answer is awaited', async () => {
    service.answer = () => new Promise(() => undefined)
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
    service.answer = () => new Promise(() => undefined)
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
    watch(client, { refetchInterval: 3_600_000 }, 1)
    await pass(0)
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    watch(client, { refetchInterval: 500 }, 2)
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
    const { queryKey } = balancesQueryOptions(client, { address, limit: 1 })
    const updatedAt = Date.now() + 3_600_000
    client.queryClient.setQueryData(queryKey, balances(), { updatedAt })
    service.answer = refusing(404)
    watch(client)
    // After 10 seconds, 20 more and 40 more.
    await pass(75_000)
    expect(service.asked).toHaveLength(3)
  })
})

describe('polling in a shared cache', () => {
  beforeEach(() => environmentManager.setIsServer(() => false))
  afterEach(() => environmentManager.setIsServer(() => true))

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

describe('polling rests', () => {
  it('while the page is hidden, and refreshes once on return', async () => {
    const client = create()
    watch(client)
    watch(client, {}, 2)
    await pass(0)
    focusManager.setFocused(false)
    await pass(60_000)
    expect(service.asked).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
    focusManager.setFocused(true)
    await pass(0)
    expect(service.asked).toHaveLength(4)
    await pass(1000)
    expect(service.asked).toHaveLength(4)
  })

  it('while the network is away, says so, and refreshes once on return', async () => {
    const { seen } = watch()
    await pass(0)
    service.answer = unreachable
    onlineManager.setOnline(false)
    await pass(60_000)
    expect(service.asked).toHaveLength(2)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { name: 'NetworkError' } })
    expect(seen.at(-1)?.data?.balances).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    service.answer = () => json(balances())
    onlineManager.setOnline(true)
    await pass(1000)
    expect(service.asked).toHaveLength(3)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
  })

  it('asks for nothing fresh again however often the network comes and goes', async () => {
    watch(create(), { refetchInterval: 600_000 })
    await pass(0)
    for (let flap = 0; flap < 10; flap++) {
      onlineManager.setOnline(false)
      await pass(30)
      onlineManager.setOnline(true)
      await pass(30)
    }
    expect(service.asked).toHaveLength(1)
    await pass(10_000)
    expect(service.asked).toHaveLength(1)
    onlineManager.setOnline(false)
    await pass(0)
    expect(service.asked).toHaveLength(2)
  })

  it('not while the network is away from a service that is near', async () => {
    const { seen } = watch()
    await pass(0)
    onlineManager.setOnline(false)
    await pass(35_500)
    expect(service.asked).toHaveLength(5)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
  })

  it('after a first request without a network, which settles at once and is made again on return', async () => {
    onlineManager.setOnline(false)
    service.answer = unreachable
    const { seen } = watch()
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { name: 'NetworkError' } })
    await seen.at(-1)?.refetch()
    await pass(60_000)
    expect(service.asked).toHaveLength(2)
    service.answer = () => json(balances())
    onlineManager.setOnline(true)
    await pass(0)
    expect(seen.at(-1)?.status).toBe('success')
  })

  it('without breaking a wait that the service named when the network returns', async () => {
    service.answer = refusing(429, { 'retry-after': '60' })
    watch()
    await pass(1000)
    onlineManager.setOnline(false)
    await pass(1000)
    onlineManager.setOnline(true)
    await pass(57_000)
    expect(service.asked).toHaveLength(1)
    await pass(2000)
    expect(service.asked).toHaveLength(2)
  })

  it('on a server, which asks once and keeps no timer', async () => {
    const client = create({ ssr: true })
    const { subscription, seen } = watch(client)
    await pass(60_000)
    expect(service.asked).toHaveLength(1)
    expect(seen.at(-1)?.status).toBe('success')
    subscription.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('failures', () => {
  it('keep the last good answer, and the next success clears them', async () => {
    service.answer = (count) =>
      count === 2 ? refusing(404)() : json(balances(balance({ amount: String(count) })))
    const { seen } = watch()
    await pass(60_000)
    const told = seen.map(({ status, data }) => [status, data?.balances[0]?.amount])
    expect(told.slice(0, 4)).toEqual([
      ['pending', undefined],
      ['success', '1'],
      ['error', '1'],
      ['success', '3'],
    ])
  })

  it('are retried a little, and then polled ever more slowly', async () => {
    service.answer = refusing(500)
    const { seen } = watch()
    await pass(8000)
    expect(service.asked).toHaveLength(4)
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'error'])
    await pass(3_600_000)
    // At most one round of four every five minutes in the end, and never none.
    expect(service.asked.length).toBeLessThan(4 * 22)
    expect(service.asked.length).toBeGreaterThan(4 * 12)
    expect(seen.every(({ status }, index) => status === (index === 0 ? 'pending' : 'error'))).toBe(
      true,
    )
  })

  it.each([
    ['seconds', '120'],
    ['a date', new Date(120_000 + Date.UTC(2030, 0, 1)).toUTCString()],
  ])('are not asked about before Retry-After as %s', async (_, retryAfter) => {
    vi.setSystemTime(Date.UTC(2030, 0, 1))
    service.answer = refusing(429, { 'retry-after': retryAfter })
    const client = create()
    watch(client, { refetchInterval: 10_000 })
    await pass(60_000)
    watch(client, { refetchInterval: 20_000 })
    await pass(59_000)
    expect(service.asked).toHaveLength(1)
    service.answer = () => json(balances(balance()))
    await pass(2200)
    expect(service.asked).toHaveLength(2)
  })

  it('that name a wait are asked about within a second after it, and many clients not at once', async () => {
    const askedAt: number[] = []
    service.answer = () => {
      askedAt.push(Date.now())
      return refusing(429, { 'retry-after': '60' })()
    }
    for (let each = 0; each < 20; each++) watch(create())
    await pass(0)
    const begin = askedAt[0]!
    await pass(61_000)
    const again = askedAt.slice(20).map((time) => time - begin)
    expect(again).toHaveLength(20)
    expect(Math.min(...again)).toBeGreaterThanOrEqual(60_000)
    expect(new Set(again).size).toBeGreaterThan(10)
  })

  it('that name a wait show at once, and leave the waiting to the poller', async () => {
    service.answer = (count) =>
      count === 1 ? refusing(503, { 'retry-after': '2' })() : json(balances())
    const { seen } = watch(create(), { refetchInterval: 1000 })
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 503 } })
    await pass(1900)
    expect(service.asked).toHaveLength(1)
    await pass(1200)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
  })

  it('that name a short wait are retried where nothing polls', async () => {
    service.answer = (count) =>
      count === 1 ? refusing(503, { 'retry-after': '2' })() : json(balances())
    const { seen } = watch(create(), { refetchInterval: false })
    await pass(4000)
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'success'])
  })

  it('are forgotten after a success', async () => {
    service.answer = (count) => (count % 2 === 0 ? refusing(404)() : json(balances()))
    watch()
    // Ten seconds after each success, twenty after each failure.
    await pass(91_000)
    expect(service.asked).toHaveLength(7)
  })

  it('are not asked about early because another question is due', async () => {
    const client = create()
    service.answer = (count) =>
      count === 1 ? refusing(429, { 'retry-after': '120' })() : json(balances())
    watch(client)
    watch(client, { refetchInterval: 119_950 }, 2)
    await pass(119_980)
    expect(service.asked).toHaveLength(3)
    await pass(1100)
    expect(service.asked).toHaveLength(4)
  })

  it.each([400, 401, 402, 403])('of status %i stop polling until refetch', async (status) => {
    service.answer = refusing(status)
    const client = create()
    const { seen } = watch(client)
    await pass(3_600_000)
    watch(client, { refetchInterval: 1000 })
    await pass(3_600_000)
    expect(service.asked).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status } })

    service.answer = () => json(balances())
    await seen.at(-1)?.refetch()
    expect(seen.at(-1)).toMatchObject({ status: 'success', error: null })
    const before = service.asked.length
    await pass(5000)
    expect(service.asked.length).toBeGreaterThan(before)
  })

  it.each([
    [401, {}],
    [429, { 'retry-after': '120' }],
  ])('of status %i are not asked about by whoever comes later', async (status, headers) => {
    const client = create()
    service.answer = (count) => (count === 1 ? json(balances()) : refusing(status, headers)())
    const visits = [watch(client), watch(client, {}, 2)]
    await pass(20_000)
    const before = service.asked.length
    visits[1]?.subscription.unsubscribe()
    visits.push(watch(client, { enabled: false }, 2))
    await pass(1000)
    visits.push(watch(client, {}, 2))
    for (const { subscription } of visits) subscription.unsubscribe()
    await pass(20_000)
    const last = [watch(client), watch(client, {}, 2)]
    await pass(1000)
    expect(service.asked).toHaveLength(before)
    for (const { stream } of last) {
      expect(stream.getSnapshot()).toMatchObject({ status: 'error', error: { status } })
    }
    await pass(120_000)
    expect(service.asked.length > before).toBe(status === 429)
  })

  it('stay in sight of all while a first answer is asked for again', async () => {
    const client = create()
    service.answer = (count) => (count === 1 ? refusing(404)() : new Promise(() => undefined))
    const { stream } = watch(client)
    await pass(21_000)
    expect(service.asked).toHaveLength(2)
    const { stream: sibling } = watch(client, { select: (data) => data })
    for (const each of [stream, sibling]) {
      expect(each.getSnapshot()).toMatchObject({ status: 'error', error: { status: 404 } })
    }
    void client.queryClient.resetQueries()
    await pass(0)
    expect(sibling.getSnapshot()).toMatchObject({ status: 'pending', error: null })
  })

  it('never make refetch reject', async () => {
    service.answer = refusing(404)
    const { seen, stream } = watch()
    await expect(seen[0]?.refetch()).resolves.toBeUndefined()
    expect(stream.getSnapshot()).toMatchObject({ status: 'error', error: { status: 404 } })
  })
})

describe('the end', () => {
  it('leaves nothing behind, however often somebody came and went', async () => {
    const client = create()
    for (let round = 0; round < 10_000; round++)
      watch(client, {}, 1 + (round % 50)).subscription.unsubscribe()
    await pass(1000)
    const cache = client.queryClient.getQueryCache()
    expect(cache.getAll().every((query) => query.getObserversCount() === 0)).toBe(true)
    expect(focusManager.hasListeners()).toBe(false)
    expect(onlineManager.hasListeners()).toBe(false)
    client.destroy()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('comes a moment after the last one left, so that a remount asks nothing', async () => {
    const client = create()
    service.answer = () => new Promise(() => undefined)
    watch(client).subscription.unsubscribe()
    await pass(50)
    const second = watch(client)
    await pass(1000)
    expect(service.asked).toHaveLength(1)
    expect(service.asked[0]?.signal.aborted).toBe(false)
    second.subscription.unsubscribe()
    await pass(1000)
    expect(service.asked[0]?.signal.aborted).toBe(true)
  })

  it('completes all streams when the client is destroyed, and aborts what they asked', async () => {
    const client = create()
    service.answer = () => new Promise(() => undefined)
    let completed = 0
    const complete = () => completed++
    const stream = watchAnswers(client, { address })
    stream.subscribe({ complete })
    client.destroy()
    stream.subscribe({ complete })
    watchAnswers(client, { address, limit: 2 }).subscribe({ complete })
    await pass(60_000)
    expect(completed).toBe(3)
    expect(service.asked).toHaveLength(1)
    expect(service.asked[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reaches the streams that were forgotten', async () => {
    const client = create()
    const forgotten = [1, 2].map((limit) => watchAnswers(client, { address, limit }))
    for (let limit = 3; limit <= 203; limit++) watchAnswers(client, { address, limit })
    let completed = 0
    const complete = () => completed++
    // A twin took the place of this one before somebody listened to it.
    watchAnswers(client, { address, limit: 1 }).subscribe({ complete })
    forgotten[0]?.subscribe({ complete })
    client.destroy()
    forgotten[1]?.subscribe({ complete })
    expect(completed).toBe(3)
    await pass(20_000)
    expect(service.asked).toHaveLength(1)
  })

  it('still refetches through a stream that nobody listens to', async () => {
    const client = create()
    const stream = watchAnswers(client, { address })
    await stream.getSnapshot().refetch()
    expect(stream.getSnapshot()).toMatchObject({ status: 'success' })
    const { queryKey } = balancesQueryOptions(client, { address })
    expect(client.queryClient.getQueryData(queryKey)).toBe(stream.getSnapshot().data)
  })
})
