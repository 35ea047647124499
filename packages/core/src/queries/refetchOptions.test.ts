import { focusManager, onlineManager } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { rejectWith } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { balancesQueryOptions, type RefetchQuery, watchPrice } from '../index.ts'

const { service, create, watch } = responsesInFakeTime()

const count = () => service.requests.length

async function hideFor(milliseconds: number) {
  focusManager.setFocused(false)
  await advance(milliseconds)
  focusManager.setFocused(true)
  await advance(0)
}

async function disconnectFor(milliseconds: number) {
  onlineManager.setOnline(false)
  await advance(milliseconds)
  onlineManager.setOnline(true)
  await advance(0)
}

describe('refetchInterval as a function', () => {
  it('receives the state of the query, and is called after each response', async () => {
    const refetchInterval = vi.fn(({ state }: RefetchQuery) => (state.data ? 30_000 : 1000))
    watch(undefined, { refetchInterval })
    await advance(29_000)
    expect(count()).toBe(1)
    await advance(1100)
    expect(count()).toBe(2)
    expect(refetchInterval.mock.lastCall?.[0].state).toMatchObject({
      status: 'success',
      error: null,
    })
  })

  it('polls less often while requests fail, and ends polling with false', async () => {
    let isPolled = true
    const refetchInterval = ({ state }: RefetchQuery) =>
      isPolled && (state.status === 'error' ? 60_000 : 1000)
    watch(undefined, { refetchInterval, retry: false })
    await advance(2200)
    expect(count()).toBe(3)
    service.respond = rejectWith(500)
    await advance(1100)
    expect(count()).toBe(4)
    await advance(59_000)
    expect(count()).toBe(4)
    isPolled = false
    await advance(10 * 60_000)
    const ended = count()
    await advance(10 * 60_000)
    expect(count()).toBe(ended)
  })

  it('is combined with the intervals of other streams', async () => {
    const client = create()
    watch(client, { refetchInterval: () => 5000 })
    watch(client, { refetchInterval: 60_000 })
    await advance(20_500)
    expect(count()).toBe(5)
  })

  it('works for prices', async () => {
    const client = create()
    const token = { chainId: 1, address }
    watchPrice(client, token, { refetchInterval: () => false }).subscribe()
    await advance(0)
    const before = count()
    await advance(60_000)
    expect(count()).toBe(before)
  })
})

describe('refetchOnWindowFocus', () => {
  it('refetches what became due by default', async () => {
    watch(undefined, { refetchInterval: 10_000 })
    watch(create(), { refetchInterval: false }, { limit: 5 })
    await advance(0)
    await hideFor(5000)
    expect(count()).toBe(2)
    await hideFor(6000)
    expect(count()).toBe(3)
  })

  it('false continues after an interval', async () => {
    watch(undefined, { refetchInterval: 10_000, refetchOnWindowFocus: false })
    await advance(0)
    await hideFor(60_000)
    expect(count()).toBe(1)
    await advance(9000)
    expect(count()).toBe(1)
    await advance(1100)
    expect(count()).toBe(2)
  })

  it('true refetches stale data, also of a stream that does not poll', async () => {
    watch(undefined, { refetchInterval: false, staleTime: 10_000, refetchOnWindowFocus: true })
    await advance(0)
    await hideFor(5000)
    expect(count()).toBe(1)
    await hideFor(6000)
    expect(count()).toBe(2)
    await advance(60_000)
    expect(count()).toBe(2)
  })

  it("'always' refetches fresh data, once", async () => {
    watch(undefined, { refetchInterval: 10_000, refetchOnWindowFocus: 'always' })
    await advance(0)
    await hideFor(1000)
    expect(count()).toBe(2)
    await hideFor(60_000)
    expect(count()).toBe(3)
  })

  it('may be a function, and applies to prices', async () => {
    const client = create()
    const refetchOnWindowFocus = vi.fn(() => 'always' as const)
    watchPrice(client, { chainId: 1, address }, { refetchOnWindowFocus }).subscribe()
    watch(client, { refetchInterval: 60_000, refetchOnWindowFocus })
    await advance(0)
    const before = count()
    await hideFor(1000)
    expect(refetchOnWindowFocus).toHaveBeenCalled()
    expect(count()).toBeGreaterThan(before)
  })

  it('does not repeat a request that the service rejected', async () => {
    service.respond = rejectWith(401)
    watch(undefined, { refetchOnWindowFocus: 'always' })
    await advance(0)
    await hideFor(1000)
    expect(count()).toBe(1)
  })
})

describe('refetchOnReconnect', () => {
  it('false continues after an interval', async () => {
    watch(undefined, { refetchInterval: 30_000, refetchOnReconnect: false })
    await advance(0)
    await disconnectFor(20_000)
    const before = count()
    await advance(29_000)
    expect(count()).toBe(before)
    await advance(1100)
    expect(count()).toBe(before + 1)
  })

  it('refetches when the page is visible again, if it was hidden', async () => {
    watch(undefined, { refetchInterval: false, staleTime: 10_000, refetchOnReconnect: true })
    await advance(20_000)
    focusManager.setFocused(false)
    await disconnectFor(5000)
    expect(count()).toBe(1)
    await advance(60_000)
    focusManager.setFocused(true)
    await advance(0)
    expect(count()).toBe(2)
    await hideFor(60_000)
    expect(count()).toBe(2)
  })

  it("'always' refetches at once, also a stream that does not poll", async () => {
    watch(undefined, { refetchInterval: false, refetchOnReconnect: 'always' })
    await advance(0)
    await disconnectFor(1000)
    expect(count()).toBe(2)
  })
})

describe('retry and retryDelay', () => {
  const failing = { refetchInterval: false } as const

  it.each([
    [false, 1],
    [1, 2],
    [5, 6],
  ])('%s sends %i requests', async (retry, requests) => {
    service.respond = rejectWith(503)
    const { emitted } = watch(undefined, { ...failing, retry, retryDelay: 100 })
    await advance(10_000)
    expect(count()).toBe(requests)
    expect(emitted.at(-1)?.status).toBe('error')
  })

  it('a number does not retry an error that will repeat, but a function decides alone', async () => {
    service.respond = rejectWith(404)
    watch(undefined, { ...failing, retry: 2, retryDelay: 100 })
    await advance(10_000)
    expect(count()).toBe(1)
    const retry = vi.fn((failureCount: number) => failureCount < 2)
    watch(undefined, { ...failing, retry, retryDelay: 100 })
    await advance(10_000)
    expect(count()).toBe(4)
    expect(retry).toHaveBeenLastCalledWith(2, expect.objectContaining({ name: 'HttpError' }))
  })

  it('waits for the delay, and at least for that of the service', async () => {
    service.respond = rejectWith(503)
    watch(undefined, { ...failing, retry: 1, retryDelay: () => 3000 })
    await advance(2900)
    expect(count()).toBe(1)
    await advance(200)
    expect(count()).toBe(2)
    service.respond = rejectWith(503, { 'retry-after': '4' })
    watch(undefined, { ...failing, retry: 1, retryDelay: 10 })
    await advance(3900)
    expect(count()).toBe(3)
    await advance(200)
    expect(count()).toBe(4)
  })
})

describe('defaultOptions of a client', () => {
  it('apply to its streams and query options, unless a stream has its own', async () => {
    service.respond = rejectWith(503)
    const client = create({
      defaultOptions: { queries: { refetchInterval: false, retry: 1, retryDelay: 100 } },
    })
    watch(client)
    await advance(60_000)
    expect(count()).toBe(2)
    watch(client, { retry: false }, { limit: 5 })
    await advance(60_000)
    expect(count()).toBe(3)
    const options = balancesQueryOptions(client, { address, limit: 6 })
    await expect(
      Promise.all([client.queryClient.fetchQuery(options), advance(1000)]),
    ).rejects.toMatchObject({ status: 503 })
    expect(count()).toBe(5)
  })

  it('set the interval and the stale time', async () => {
    const queries = { refetchInterval: 2000, staleTime: 60_000 }
    const client = create({ defaultOptions: { queries } })
    watch(client)
    await advance(4500)
    expect(count()).toBe(3)
  })
})

it('`refetch` without subscribers sends a request also after the clock was set back', async () => {
  const { subscription, emitted } = watch()
  await advance(0)
  subscription.unsubscribe()
  await advance(1000)
  vi.setSystemTime(Date.now() - 3_600_000)
  await emitted.at(-1)?.refetch()
  expect(count()).toBe(2)
})
