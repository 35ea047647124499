import { focusManager, QueryClient } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'
import { setBudget } from '../budget/setBudget.ts'
import type { CollectionOptions, Holder } from '../index.ts'

const { service, create, list, serve, watch, change, offsets } = holdersInFakeTime()

const minute = 60_000

async function loaded(options: CollectionOptions<Holder> = {}, client = create()) {
  const watched = watch(options, client)
  await advance(0)
  void watched.now().fetchAll()
  await advance(0)
  service.requests.length = 0
  return watched
}
const countTail = () => offsets().filter(Boolean).length

describe('the pages of a listing after the first', () => {
  it('are refetched every five minutes, so that a list that shrinks is short', async () => {
    serve(95)
    const { emitted, now } = await loaded()
    expect(now().data).toHaveLength(95)
    await advance(5 * minute - 100)
    expect(countTail()).toBe(0)
    const before = emitted.length
    await advance(200)
    expect(countTail()).toBe(9)
    expect(emitted).toHaveLength(before)
    list.holders = list.holders.slice(0, 15)
    await advance(5 * minute)
    expect(indexes(now().data)).toEqual(range(0, 15))
    expect(countTail()).toBe(10)
    await advance(2 * minute)
    expect(now()).toMatchObject({ warnings: [], hasNextPage: false })
    expect(countTail()).toBe(11)
  })

  it('contain the changes of their rows, and rows that are new', async () => {
    const { now } = await loaded()
    change(25, 0)
    change(34, 2)
    change(40, 999_980)
    await advance(5 * minute + 100)
    expect(indexes(now().data)).toEqual([
      ...range(0, 21),
      40,
      ...range(21, 25),
      ...range(26, 34),
      34,
    ])
  })

  it('are refetched at the interval of the option', async () => {
    await loaded({ tailRefetchInterval: 20_000 })
    await advance(20_100)
    expect(countTail()).toBe(3)
    await advance(40_000)
    expect(countTail()).toBe(9)
  })

  it.each([
    { tailRefetchInterval: false },
    { refetchInterval: false },
    { enabled: false },
  ] as const)('are not refetched with %j', async (options) => {
    await loaded(options)
    await advance(60 * minute)
    expect(countTail()).toBe(0)
  })

  it('cost at most a third of the polls by default', async () => {
    serve(1000)
    await loaded()
    await advance(180 * minute)
    const polls = offsets().length - countTail()
    expect(countTail()).toBeGreaterThan(0.2 * polls)
    expect(countTail()).toBeLessThan(0.34 * polls)
  })

  it('are refetched once for two streams, at the shorter interval', async () => {
    const client = create()
    await loaded({}, client)
    watch({ pageSize: 5, tailRefetchInterval: minute }, client)
    await advance(10 * minute + 1000)
    expect(countTail()).toBe(30)
  })

  it('are neither refetched while the page is hidden nor without subscribers', async () => {
    const { subscription } = await loaded({ tailRefetchInterval: minute })
    focusManager.setFocused(false)
    await advance(60 * minute)
    expect(countTail()).toBe(0)
    focusManager.setFocused(true)
    await advance(100)
    expect(countTail()).toBe(3)
    subscription.unsubscribe()
    await advance(60 * minute)
    expect(countTail()).toBe(3)
    expect(vi.getTimerCount()).toBeLessThan(2)
  })

  it('are outdated while they cannot be refetched, without an error', async () => {
    const { emitted, now } = await loaded()
    const { respond } = service
    service.respond = (count) =>
      offsets().at(-1) ? json({ error: 'No' }, { status: 404 }) : respond(count)
    change(20, 0)
    await advance(5 * minute + 100)
    expect(now()).toMatchObject({ status: 'success', warnings: [{ code: 'OUTDATED_PAGES' }] })
    expect(now().data).toHaveLength(35)
    expect(countTail()).toBe(1)
    service.respond = respond
    await advance(10 * minute)
    expect(now()).toMatchObject({ status: 'success', warnings: [] })
    expect(now().data).toHaveLength(34)
    expect(emitted.map(({ status }) => status)).not.toContain('error')
  })

  it('keep what a refetch has read before it failed', async () => {
    const { now } = await loaded({ tailRefetchInterval: minute })
    const { respond } = service
    service.respond = (count) =>
      countTail() === 2 ? json({ error: 'No' }, { status: 404 }) : respond(count)
    change(12, 999_985)
    change(22, 999_975)
    await advance(minute + 100)
    expect(now().data).toHaveLength(35)
    expect(indexes(now().data)?.slice(10, 15)).toEqual([10, 11, 13, 14, 12])
    expect(new Set(indexes(now().data))).toEqual(new Set(range(0, 35)))
  })

  it('give way under a budget, and are outdated meanwhile', async () => {
    const { now, client } = await loaded({ tailRefetchInterval: minute })
    setBudget(client, { perMinute: 20 })
    await advance(10 * minute)
    const { byMinute } = client.getUsage()
    for (const { spent } of byMinute.slice(1, -1)) {
      expect(spent).toBeLessThanOrEqual(20)
    }
    expect(countTail()).toBeGreaterThan(3)
    setBudget(client, { total: client.getUsage().spent })
    await advance(10 * minute)
    expect(now()).toMatchObject({ status: 'success', warnings: [{ code: 'OUTDATED_PAGES' }] })
  })

  it('survive that the cache is cleared while they are refetched', async () => {
    const queryClient = new QueryClient()
    const { now } = await loaded({ tailRefetchInterval: minute }, create({ queryClient }))
    const { respond } = service
    service.respond = async (count) => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      return respond(count)
    }
    await advance(minute + 300)
    void queryClient.resetQueries()
    await advance(1000)
    expect(indexes(now().data)).toEqual(range(0, 10))
    expect(now()).toMatchObject({ status: 'success', warnings: [], hasNextPage: true })
  })
})
