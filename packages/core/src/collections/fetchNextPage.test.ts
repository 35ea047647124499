import { describe, expect, it } from 'vitest'
import { otherAddress } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime, token } from '../../test/holdersInFakeTime.ts'
import { setBudget } from '../budget/setBudget.ts'
import {
  getTokenHolders,
  tokenHoldersQueryOptions,
  watchTokenHolders,
} from '../operations/tokenHolders.ts'

const { service, create, serve, watch } = holdersInFakeTime()

describe('fetchNextPage', () => {
  it('follows a first page of the largest size, with the key of the query options', async () => {
    const client = create()
    await client.queryClient.prefetchQuery(tokenHoldersQueryOptions(client, token))
    const { emitted } = watch({}, client)
    expect(indexes(emitted[0]?.data)).toEqual(range(0, 10))
    await advance(0)
    expect(service.requests).toHaveLength(1)
    expect(service.requests[0]?.url).toContain('limit=500')
  })

  it('appends a page, with one request for concurrent calls', async () => {
    const { emitted, now } = watch()
    await advance(0)
    expect(now()).toMatchObject({ hasNextPage: true, isFetchingNextPage: false, warnings: [] })
    const { fetchNextPage } = now()
    const done = Promise.all([fetchNextPage(), fetchNextPage()])
    await advance(0)
    await done
    expect(indexes(now().data)).toEqual(range(0, 20))
    expect(service.requests).toHaveLength(2)
    expect(
      emitted.map(({ isFetchingNextPage, data }) => [isFetchingNextPage, data?.length]),
    ).toEqual([
      [false, undefined],
      [false, 10],
      [true, 10],
      [false, 20],
    ])
    expect(emitted[2]?.data).toBe(emitted[1]?.data)
    expect(emitted[3]?.data?.[0]).toBe(emitted[1]?.data?.[0])
  })

  it('reveals loaded rows before it sends a request', async () => {
    const { now } = watch({ pageSize: 4 })
    await advance(0)
    const lengths = [now().data?.length]
    const counts = [service.requests.length]
    for (let page = 0; page < 9; page++) {
      void now().fetchNextPage()
      await advance(0)
      lengths.push(now().data?.length)
      counts.push(service.requests.length)
    }
    expect(lengths).toEqual([4, 8, 12, 16, 20, 24, 28, 32, 35, 35])
    expect(counts).toEqual([1, 1, 2, 2, 2, 3, 3, 4, 4, 4])
    expect(now().hasNextPage).toBe(false)
  })

  it.each([
    ['pageSize', 0],
    ['pageSize', -1],
    ['pageSize', 0.5],
    ['pageSize', NaN],
    ['maxPages', NaN],
  ])('rejects a %s of %d, with which it would never reach the last page', async (option, value) => {
    const { now } = watch({ [option]: value })
    await advance(0)
    expect(now()).toMatchObject({
      status: 'error',
      error: { name: 'InvalidParameterError', parameter: option },
      hasNextPage: false,
    })
    expect(service.requests).toHaveLength(0)
  })

  it('does not wait behind pages that wait for the budget', async () => {
    serve(100)
    const client = create()
    const { now } = watch({ tailRefetchInterval: 60_000, refetchInterval: 3_600_000 }, client)
    await advance(0)
    for (let page = 0; page < 2; page++) {
      await Promise.all([now().fetchNextPage(), advance(0)])
    }
    setBudget(client, { perMinute: 20 })
    await advance(50_000)
    // More than background requests may use of a minute.
    for (let time = 0; time < 7; time++) {
      await getTokenHolders(client, { ...token, limit: 500 })
    }
    await advance(12_000)
    expect(client.usageTracker.limiter?.queue.size).toBe(1)
    const { length } = service.requests
    void now().fetchNextPage()
    await advance(0)
    expect(indexes(now().data)).toEqual(range(0, 40))
    expect(now().isFetchingNextPage).toBe(false)
    expect(service.requests).toHaveLength(length + 3)
    // There is nothing left for another page.
    void now().fetchNextPage()
    await advance(0)
    expect(now()).toMatchObject({ status: 'error', error: { name: 'BudgetError' } })
  })

  it('reveals pageSize rows for concurrent calls that join one request', async () => {
    const { now } = watch({ pageSize: 8 })
    await advance(0)
    await Promise.all([1, 2, 3, 4].map(() => now().fetchNextPage()))
    expect(now().data).toHaveLength(18)
    expect(service.requests).toHaveLength(2)
  })

  it('adds at most the rows of one request', async () => {
    const { now } = watch({ pageSize: 25 })
    await advance(0)
    expect(now().data).toHaveLength(10)
    await now().fetchNextPage()
    expect(now().data).toHaveLength(20)
    await now().fetchNextPage()
    expect(now().data).toHaveLength(30)
    expect(service.requests).toHaveLength(3)
  })

  it('keeps the revealed rows when the stream is replaced, as by an inline select', async () => {
    const client = create()
    const first = watch({ pageSize: 4, select: (rows) => rows.length }, client)
    await advance(0)
    void first.now().fetchNextPage()
    const second = watch({ pageSize: 4, select: (rows) => rows.length }, client)
    first.subscription.unsubscribe()
    await advance(0)
    expect(second.now().data).toBe(8)
  })

  it('reveals rows in all streams of the same page size at once', async () => {
    const client = create()
    const one = watch({ pageSize: 4 }, client)
    const two = watch({ pageSize: 4, tailRefetchInterval: false }, client)
    await advance(0)
    void one.now().fetchNextPage()
    expect(one.emitted.at(-1)?.data).toHaveLength(8)
    expect(two.emitted.at(-1)).toBe(two.now())
    expect(two.now().data).toHaveLength(8)
  })

  it('does nothing after the last page', async () => {
    const { now } = watch()
    await advance(0)
    for (let page = 0; page < 5; page++) {
      void now().fetchNextPage()
      await advance(0)
    }
    expect(indexes(now().data)).toEqual(range(0, 35))
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [] })
    expect(service.requests).toHaveLength(4)
  })

  it('stops at maxPages with a warning', async () => {
    const { now } = watch({ maxPages: 2 })
    await advance(0)
    void now().fetchAll()
    await advance(0)
    void now().fetchNextPage()
    await advance(0)
    expect(indexes(now().data)).toEqual(range(0, 20))
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [{ code: 'MAX_PAGES' }] })
    expect(service.requests).toHaveLength(2)
    expect(now()).toBe(now())
  })

  it('fetches the first page if it is missing', async () => {
    const { now } = watch({ enabled: false })
    void now().fetchNextPage()
    await advance(0)
    expect(indexes(now().data)).toEqual(range(0, 10))
    void now().fetchNextPage()
    await advance(0)
    expect(indexes(now().data)).toEqual(range(0, 20))
  })

  it('fails in the snapshot for parameters that JSON cannot represent', async () => {
    const stream = watchTokenHolders(create(), { chainId: 1n as never, address: otherAddress })
    stream.subscribe()
    const { status, fetchNextPage, fetchAll, ...rest } = stream.getSnapshot()
    expect(status).toBe('error')
    expect(rest).toMatchObject({ hasNextPage: false, warnings: [], errors: undefined })
    await Promise.all([fetchNextPage(), fetchAll()])
    expect(service.requests).toHaveLength(0)
  })
})
