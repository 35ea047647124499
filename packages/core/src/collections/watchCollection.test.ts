import { QueryClient } from '@tanstack/query-core'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balances, otherAddress } from '../../test/balances.ts'
import { clientsInFakeTime, pass } from '../../test/clientsInFakeTime.ts'
import { createFakeService, json } from '../../test/createFakeService.ts'
import { createHolders, holder } from '../../test/createHolders.ts'
import { watchBalances } from '../balances/watchBalances.ts'
import type { CollectionOptions, CollectionSnapshot, Holder } from '../index.ts'
import { tokenHoldersQueryOptions } from '../tokenHolders/tokenHoldersQueryOptions.ts'
import { watchTokenHolders } from '../tokenHolders/watchTokenHolders.ts'

let service: ReturnType<typeof createFakeService>
let list: ReturnType<typeof createHolders>
const token = { chainId: 1, address: otherAddress }
const create = clientsInFakeTime(() => service.fetch)

function watch<S = readonly Holder[]>(
  options: CollectionOptions<Holder, S> = {},
  client = create(),
) {
  const seen: CollectionSnapshot<Holder, S>[] = []
  const stream = watchTokenHolders(client, token, options)
  const subscription = stream.subscribe((snapshot) => void seen.push(snapshot))
  return { seen, subscription, stream, client, now: stream.getSnapshot }
}

/** A listing of so many holders in pages of ten at most. */
function serve(count: number, largestPage = 10) {
  list = createHolders(count, largestPage)
  service.answer = () => json(list.answer(service.asked.at(-1)!.url))
}
const offsets = () =>
  service.asked.map(({ url }) => new URL(url).searchParams.get('offset') !== null)
const indexes = (rows: readonly Holder[] | undefined) =>
  rows?.map(({ wallet_address }) => Number(wallet_address))
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
/** Gives a holder another balance; 0 for leaving. */
const change = (index: number, amount: number) => {
  const { wallet_address } = holder(index)
  list.holders = list.holders.filter((each) => each.wallet_address !== wallet_address)
  if (amount > 0) list.holders.push(holder(index, amount))
}

beforeEach(() => {
  service = createFakeService()
  serve(35)
})

describe('pages', () => {
  it('asks for the largest page, under the key of the query options', async () => {
    const client = create()
    await client.queryClient.prefetchQuery(tokenHoldersQueryOptions(client, token))
    const { seen } = watch({}, client)
    expect(indexes(seen[0]?.data)).toEqual(range(0, 10))
    await pass(0)
    expect(service.asked).toHaveLength(1)
    expect(service.asked[0]?.url).toContain('limit=500')
  })

  it('appends the next page, once for all who ask for it', async () => {
    const { seen, now } = watch()
    await pass(0)
    expect(now()).toMatchObject({ hasNextPage: true, isFetchingNextPage: false, warnings: [] })
    const { fetchNextPage } = now()
    const done = Promise.all([fetchNextPage(), fetchNextPage()])
    await pass(0)
    await done
    expect(indexes(now().data)).toEqual(range(0, 20))
    expect(service.asked).toHaveLength(2)
    expect(seen.map(({ isFetchingNextPage, data }) => [isFetchingNextPage, data?.length])).toEqual([
      [false, undefined],
      [false, 10],
      [true, 10],
      [false, 20],
    ])
    expect(seen[2]?.data).toBe(seen[1]?.data)
    expect(seen[3]?.data?.[0]).toBe(seen[1]?.data?.[0])
  })

  it('hands out rows that are here before it asks for more', async () => {
    const { now } = watch({ pageSize: 4 })
    await pass(0)
    const lengths = [now().data?.length]
    const asked = [service.asked.length]
    for (let page = 0; page < 9; page++) {
      void now().fetchNextPage()
      await pass(0)
      lengths.push(now().data?.length)
      asked.push(service.asked.length)
    }
    expect(lengths).toEqual([4, 8, 12, 16, 20, 24, 28, 32, 35, 35])
    expect(asked).toEqual([1, 1, 2, 2, 2, 3, 3, 4, 4, 4])
    expect(now().hasNextPage).toBe(false)
  })

  it('keeps what is shown when the stream is made anew, as by a select of each render', async () => {
    const client = create()
    const first = watch({ pageSize: 4, select: (rows) => rows.length }, client)
    await pass(0)
    void first.now().fetchNextPage()
    const second = watch({ pageSize: 4, select: (rows) => rows.length }, client)
    first.subscription.unsubscribe()
    await pass(0)
    expect(second.now().data).toBe(8)
  })

  it('ends at the last page', async () => {
    const { now } = watch()
    await pass(0)
    for (let page = 0; page < 5; page++) {
      void now().fetchNextPage()
      await pass(0)
    }
    expect(indexes(now().data)).toEqual(range(0, 35))
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [] })
    expect(service.asked).toHaveLength(4)
  })

  it('stops at maxPages and says that it did', async () => {
    const { now } = watch({ maxPages: 2 })
    await pass(0)
    void now().fetchAll()
    await pass(0)
    void now().fetchNextPage()
    await pass(0)
    expect(indexes(now().data)).toEqual(range(0, 20))
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [{ code: 'MAX_PAGES' }] })
    expect(service.asked).toHaveLength(2)
    expect(now()).toBe(now())
  })

  it('asks for the first page when there is none', async () => {
    const { now } = watch({ enabled: false })
    void now().fetchNextPage()
    await pass(0)
    expect(indexes(now().data)).toEqual(range(0, 10))
    void now().fetchNextPage()
    await pass(0)
    expect(indexes(now().data)).toEqual(range(0, 20))
  })

  it('is the same for parameters that JSON does not know, an error in the snapshot', async () => {
    const stream = watchTokenHolders(create(), { chainId: 1n as never, address: otherAddress })
    stream.subscribe()
    const { status, fetchNextPage, fetchAll, ...rest } = stream.getSnapshot()
    expect(status).toBe('error')
    expect(rest).toMatchObject({ hasNextPage: false, warnings: [], errors: undefined })
    await Promise.all([fetchNextPage(), fetchAll()])
    expect(service.asked).toHaveLength(0)
  })
})

describe('fetchAll', () => {
  it('reads all pages and tells of its progress', async () => {
    const onProgress = vi.fn()
    const { now } = watch({ pageSize: 4 })
    await pass(0)
    const done = now().fetchAll({ onProgress })
    await pass(0)
    await done
    expect(indexes(now().data)).toEqual(range(0, 35))
    expect(onProgress.mock.calls.flat()).toEqual([
      { pages: 2, rows: 20 },
      { pages: 3, rows: 30 },
      { pages: 4, rows: 35 },
    ])
    expect(now()).toMatchObject({ hasNextPage: false, isFetchingNextPage: false })
  })

  it('shows rows whenever they grew by a quarter, and is fetching all the while', async () => {
    serve(1000)
    const { seen, now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    const shown = seen.slice(2).map(({ data }) => data?.length ?? 0)
    expect(shown.at(-1)).toBe(1000)
    expect(shown.length).toBeLessThan(30)
    expect(new Set(seen.slice(2, -1).map((each) => each.isFetchingNextPage))).toEqual(
      new Set([true]),
    )
    expect(seen.at(-1)?.isFetchingNextPage).toBe(false)
  })

  it('ends when its signal aborts, and keeps what it has', async () => {
    const controller = new AbortController()
    const { now } = watch()
    await pass(0)
    const done = now().fetchAll({
      signal: controller.signal,
      onProgress: ({ pages }) => pages === 3 && controller.abort(),
    })
    await pass(0)
    await done
    expect(indexes(now().data)).toEqual(range(0, 30))
    expect(now()).toMatchObject({ status: 'success', hasNextPage: true, isFetchingNextPage: false })
  })

  it('ends at the pages that it is told', async () => {
    const { now } = watch()
    await pass(0)
    void now().fetchAll({ maxPages: 3 })
    await pass(0)
    expect(now().data).toHaveLength(30)
    expect(now()).toMatchObject({ hasNextPage: true, warnings: [] })
  })

  it('rejects with what onProgress throws, and is over then', async () => {
    const bug = new Error('bug')
    const { now } = watch()
    await pass(0)
    const done = now().fetchAll({
      onProgress: () => {
        throw bug
      },
    })
    await expect(done).rejects.toBe(bug)
    expect(now().isFetchingNextPage).toBe(false)
  })

  it('begins with the first page where there is none', async () => {
    const { now } = watch({ enabled: false })
    void now().fetchAll()
    await pass(0)
    expect(indexes(now().data)).toEqual(range(0, 35))
  })
})

describe('a service that goes round in circles', () => {
  it('ends the listing when a dead cursor is answered with the first page', async () => {
    serve(35)
    list.readCursor = () => null
    const { now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    expect(indexes(now().data)).toEqual(range(0, 10))
    expect(now()).toMatchObject({
      status: 'success',
      hasNextPage: false,
      warnings: [{ code: 'LISTING_LOOPS' }],
    })
    expect(service.asked).toHaveLength(2)
  })

  it('ends it at a cursor that was asked before, also when rows come that are new', async () => {
    service.answer = (count) =>
      json({ ...list.answer('/?limit=1'), holders: [holder(count)], next_offset: `${count % 3}` })
    const { now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    expect(service.asked.length).toBeLessThan(7)
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [{ code: 'LISTING_LOOPS' }] })
  })

  it('ends it at empty pages that promise more for ever', async () => {
    service.answer = (count) => {
      const holders = count === 1 ? [holder(1)] : []
      return json({ ...list.answer('/?limit=1'), holders, next_offset: `${count}` })
    }
    const { now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    expect(service.asked).toHaveLength(10)
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [{ code: 'LISTING_LOOPS' }] })
  })

  it('is not suspected of it for a few empty pages', async () => {
    service.answer = (count) => {
      const holders = count % 8 === 1 ? [holder(count)] : []
      const next_offset = count < 17 ? `${count}` : null
      return json({ ...list.answer('/?limit=1'), holders, next_offset })
    }
    const { now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    expect(indexes(now().data)).toEqual([1, 9, 17])
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [] })
  })
})

describe('a poll', () => {
  const loaded = async (pages: number, options = {}) => {
    const watched = watch(options)
    await pass(0)
    void watched.now().fetchAll({ maxPages: pages })
    await pass(0)
    service.asked.length = 0
    return watched
  }

  it('asks for the first page alone and emits nothing when nothing changed', async () => {
    const { seen } = await loaded(3)
    const before = seen.length
    await pass(50_500)
    expect(offsets()).toEqual([false, false, false, false, false])
    expect(seen).toHaveLength(before)
  })

  it('keeps rows the same objects that did not change, wherever they move', async () => {
    const { now } = await loaded(3)
    const before = new Map(now().data?.map((row) => [row.wallet_address, row]))
    change(25, 5_000_000)
    await pass(10_100)
    expect(indexes(now().data)).toEqual([25, ...range(0, 25), ...range(26, 30)])
    for (const row of now().data?.slice(1) ?? []) expect(row).toBe(before.get(row.wallet_address))
  })

  it('is the whole listing where nothing else was read', async () => {
    const { now } = await loaded(1)
    change(3, 0)
    change(5, 1)
    await pass(10_100)
    expect(indexes(now().data)).toEqual([0, 1, 2, 4, 6, 7, 8, 9, 10, 11])
    expect(service.asked).toHaveLength(1)
    void now().fetchNextPage()
    await pass(0)
    expect(indexes(now().data)?.slice(10)).toEqual(range(12, 22))
  })

  it('is the whole listing where the service has no more', async () => {
    const { now } = await loaded(4)
    list.holders = list.holders.slice(0, 7)
    await pass(10_100)
    expect(indexes(now().data)).toEqual(range(0, 7))
    expect(now().hasNextPage).toBe(false)
    expect(service.asked).toHaveLength(1)
  })

  it('looks on the second page for rows that left the first: they moved, or are gone', async () => {
    const { now } = await loaded(4)
    change(3, 0)
    change(5, 1_000_000 - 14.5 + 0.5)
    await pass(10_100)
    expect(offsets()).toEqual([false, true])
    const shown = indexes(now().data)!
    expect(shown).not.toContain(3)
    expect(shown.indexOf(5)).toBeGreaterThan(shown.indexOf(13))
    expect(shown.indexOf(5)).toBeLessThan(shown.indexOf(16))
    expect(new Set(shown)).toEqual(new Set(range(0, 35).filter((index) => index !== 3)))
    await pass(10_000)
    expect(offsets()).toEqual([false, true, false])
  })

  it('looks for rows that left at most once a minute, and then for all of them', async () => {
    const { now } = await loaded(4)
    for (let round = 0; round < 12; round++) {
      // At the end of the first page two rows change places, and one leaves the listing.
      change(9 + (round % 2), 1_000_000 - 9)
      change(10 - (round % 2), 1_000_000 - 10)
      if (round === 3) change(4, 0)
      await pass(10_000)
      const shown = indexes(now().data)!
      expect(new Set(shown).size).toBe(shown.length)
      if (round === 4) expect(shown).toContain(4)
    }
    await pass(100)
    expect(offsets().filter((isBelow) => !isBelow)).toHaveLength(12)
    expect(offsets().filter(Boolean).length).toBeLessThanOrEqual(3)
    expect(indexes(now().data)).not.toContain(4)
  })

  it('looks for them also when no poll brings anything else, but only after one that went well', async () => {
    const { now } = await loaded(4)
    change(3, 0)
    await pass(10_100)
    change(5, 0)
    await pass(20_000)
    expect(indexes(now().data)).toContain(5)
    await pass(60_000)
    expect(indexes(now().data)).not.toContain(5)
    expect(offsets().filter(Boolean)).toHaveLength(2)
    change(6, 0)
    await pass(10_000)
    service.answer = () => json({ error: 'No' }, { status: 402 })
    await pass(120_000)
    expect(now().status).toBe('error')
    expect(indexes(now().data)).toContain(6)
    expect(offsets().filter(Boolean)).toHaveLength(2)
  })

  it('forgets a row that fell further than the second page, until its page is read again', async () => {
    const { now } = await loaded(4)
    change(3, 1)
    await pass(10_100)
    expect(indexes(now().data)).not.toContain(3)
    void now().refetch()
    await pass(0)
    expect(indexes(now().data)).toEqual([...range(0, 3), ...range(4, 35), 3])
  })

  it('goes on where the newest pages end', async () => {
    const { now } = await loaded(2)
    change(2, 0)
    change(30, 3_000_000)
    await pass(10_100)
    void now().fetchAll()
    await pass(0)
    expect(indexes(now().data)).toEqual([30, ...range(0, 2), ...range(3, 30), ...range(31, 35)])
  })

  it('loses no row that falls from the first page while the second is under way', async () => {
    const { now } = watch()
    await pass(0)
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    const { answer } = service
    service.answer = async (count) => {
      const page = answer(count)
      if (service.asked.at(-1)?.url.includes('offset')) await gate
      return page
    }
    void now().fetchNextPage()
    await pass(0)
    change(34, 3_000_000)
    await pass(10_100)
    expect(indexes(now().data)).toEqual([34, ...range(0, 10)])
    release()
    await pass(0)
    expect(indexes(now().data)).toEqual([34, ...range(0, 19)])
    void now().fetchAll()
    await pass(0)
    expect(indexes(now().data)).toEqual([34, ...range(0, 34)])
  })

  it('emits nothing for what lies below the rows that are handed out', async () => {
    const { seen, now } = watch({ pageSize: 3 })
    await pass(0)
    change(7, 999_000)
    change(9, 0)
    await pass(10_100)
    expect(seen).toHaveLength(2)
    for (let page = 0; page < 3; page++) void now().fetchNextPage()
    expect(indexes(now().data)).toEqual([...range(0, 7), 8, 10, 11])
  })
})

describe('refetch', () => {
  it('reads all pages again that are here, and what is gone leaves', async () => {
    const { now } = watch()
    await pass(0)
    void now().fetchAll({ maxPages: 3 })
    await pass(0)
    change(15, 0)
    change(25, 0)
    service.asked.length = 0
    void now().refetch()
    await pass(0)
    expect(offsets()).toEqual([false, true, true])
    expect(indexes(now().data)).toEqual([...range(0, 15), ...range(16, 25), ...range(26, 32)])
    expect(now().hasNextPage).toBe(true)
  })
})

describe('holders that come, go and change at random', () => {
  const step = fc.oneof(
    fc.record({ index: fc.nat(45), amount: fc.constantFrom(0, 1, 500_000, 999_985, 2_000_000) }),
    fc.constantFrom('poll' as const, 'more' as const),
  )
  const truth = () => {
    const all = createHolders(0)
    all.holders = list.holders
    return indexes(all.answer('/?limit=1000').holders)!
  }

  it('are shown once each, the first page as it is, and after a refresh all as they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        serve(35)
        const { now, subscription } = watch()
        await pass(0)
        for (const each of steps) {
          if (each === 'more') {
            void now().fetchNextPage()
            await pass(0)
          } else if (each === 'poll') {
            await pass(10_200)
            expect(indexes(now().data)?.slice(0, 10)).toEqual(truth().slice(0, 10))
          } else change(each.index, each.amount)
          const shown = indexes(now().data)!
          expect(new Set(shown).size).toBe(shown.length)
        }
        void now().refetch()
        await pass(0)
        const shown = indexes(now().data)!
        expect(shown).toEqual(truth().slice(0, shown.length))
        void now().fetchAll()
        await pass(0)
        expect(indexes(now().data)).toEqual(truth())
        expect(now().warnings).toEqual([])
        subscription.unsubscribe()
        await pass(1000)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a page that fails', () => {
  const fail = (status: number) => {
    const { answer } = service
    service.answer = (count) =>
      service.asked.at(-1)?.url.includes('offset')
        ? json({ error: 'No' }, { status })
        : answer(count)
    return () => (service.answer = answer)
  }

  it.each([401, 402, 404])(
    'with %i is an error in the snapshot beside the rows, and ends fetchAll',
    async (status) => {
      const { now } = watch()
      await pass(0)
      const recover = fail(status)
      await now().fetchAll()
      expect(now()).toMatchObject({ status: 'error', error: { status }, hasNextPage: true })
      expect(indexes(now().data)).toEqual(range(0, 10))
      expect(service.asked).toHaveLength(2)
      recover()
      await pass(10_100)
      expect(now().status).toBe('error')
      void now().fetchNextPage()
      await pass(0)
      expect(now()).toMatchObject({ status: 'success', error: null })
      expect(indexes(now().data)).toEqual(range(0, 20))
    },
  )

  it('is no error where only a poll looked for rows that left, and the next one looks', async () => {
    const { seen, now, subscription } = watch()
    await pass(0)
    void now().fetchNextPage()
    await pass(0)
    const recover = fail(404)
    change(3, 0)
    await pass(10_100)
    service.asked.length = 0
    await pass(30_000)
    expect(service.asked.length).toBeLessThan(8)
    expect(indexes(now().data)).toContain(3)
    recover()
    await pass(20_000)
    expect(indexes(now().data)).not.toContain(3)
    expect(seen.map(({ status }) => status)).not.toContain('error')
    expect(now()).toMatchObject({ status: 'success', error: null })
    change(4, 0)
    await pass(10_100)
    subscription.unsubscribe()
    await pass(1000)
    expect(vi.getTimerCount()).toBeLessThan(2)
  })

  it('is an error of who asked for a refetch meanwhile', async () => {
    const { now } = watch()
    await pass(0)
    void now().fetchNextPage()
    await pass(0)
    const recover = fail(404)
    change(3, 0)
    await pass(10_100)
    expect(now().status).toBe('success')
    void now().refetch()
    await pass(0)
    expect(now()).toMatchObject({ status: 'error', error: { status: 404 } })
    recover()
    void now().refetch()
    await pass(0)
    expect(now()).toMatchObject({ status: 'success', error: null })
  })

  it('is tried again when that may help', async () => {
    const { now } = watch({ refetchInterval: false })
    await pass(0)
    const recover = fail(503)
    void now().fetchNextPage()
    await pass(100)
    recover()
    await pass(10_000)
    expect(now()).toMatchObject({ status: 'success' })
    expect(indexes(now().data)).toEqual(range(0, 20))
    expect(service.asked).toHaveLength(3)
  })
})

describe('a listing that nobody watches any more', () => {
  it('aborts the page under way a moment later, and leaves no timer', async () => {
    const { subscription, now } = watch()
    await pass(0)
    service.answer = () => new Promise(() => undefined)
    const done = now().fetchAll()
    await pass(0)
    subscription.unsubscribe()
    await pass(50)
    expect(service.asked[1]?.signal.aborted).toBe(false)
    await pass(1000)
    expect(service.asked[1]?.signal.aborted).toBe(true)
    await done
    expect(now()).toMatchObject({ status: 'success', error: null, isFetchingNextPage: false })
    await pass(10_000)
    expect(service.asked).toHaveLength(2)
  })

  it('ends a refetch, wherever it is', async () => {
    serve(300)
    const { subscription, now, stream } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    const { answer } = service
    service.answer = async (count) => {
      const page = answer(count)
      await new Promise((resolve) => setTimeout(resolve, 100))
      return page
    }
    void now().refetch()
    await pass(150)
    subscription.unsubscribe()
    service.asked.length = 0
    await pass(5000)
    expect(service.asked.length).toBeLessThan(3)
    const again = stream.subscribe()
    void now().refetch()
    await pass(0)
    again.unsubscribe()
    service.asked.length = 0
    // The first page comes within the moment that it outlives its watchers.
    await pass(5000)
    expect(service.asked).toHaveLength(0)
  })

  it('does not abort for one who takes the place of another', async () => {
    const client = create()
    const { subscription, now } = watch({}, client)
    await pass(0)
    void now().fetchNextPage()
    subscription.unsubscribe()
    watch({}, client)
    await pass(1000)
    expect(indexes(now().data)).toEqual(range(0, 20))
  })

  it('keeps its pages for as long as the cache keeps the first', async () => {
    const client = create()
    const { subscription, now } = watch({ gcTime: 60_000 }, client)
    await pass(0)
    void now().fetchNextPage()
    await pass(0)
    subscription.unsubscribe()
    await pass(30_000)
    expect(indexes(now().data)).toEqual(range(0, 20))
    await pass(60_000)
    expect(client.queryClient.getQueryCache().getAll()).toEqual([])
    const again = watch({ gcTime: 60_000 }, client)
    await pass(0)
    expect(indexes(again.now().data)).toEqual(range(0, 10))
    expect(again.now().hasNextPage).toBe(true)
  })

  it('is over with its client', async () => {
    const complete = vi.fn()
    const { stream, now, client } = watch()
    stream.subscribe({ complete })
    await pass(0)
    service.answer = () => new Promise(() => undefined)
    const done = now().fetchAll()
    await pass(0)
    client.destroy()
    await pass(1000)
    await done
    expect(complete).toHaveBeenCalledOnce()
    expect(service.asked[1]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    await Promise.all([now().fetchNextPage(), now().fetchAll(), now().refetch()])
    expect(service.asked).toHaveLength(2)
  })
})

describe('the cache', () => {
  it('that is cleared or reset makes the listing begin anew', async () => {
    const queryClient = new QueryClient()
    const { now } = watch({}, create({ queryClient }))
    await pass(0)
    void now().fetchAll()
    await pass(0)
    void queryClient.resetQueries()
    expect(now()).toMatchObject({ status: 'pending', data: undefined, hasNextPage: false })
    await pass(0)
    expect(indexes(now().data)).toEqual(range(0, 10))
    void now().fetchAll()
    await pass(0)
    queryClient.clear()
    await pass(10_100)
    expect(indexes(now().data)).toEqual(range(0, 10))
  })

  it('that is cleared while nobody watches leaves nothing of the listing', async () => {
    const { subscription, now, stream, client } = watch({ gcTime: 60_000 })
    await pass(0)
    void now().fetchAll()
    await pass(0)
    subscription.unsubscribe()
    await pass(1000)
    expect(now()).toMatchObject({ status: 'success', data: { length: 35 } })
    client.queryClient.clear()
    const nothing = { status: 'pending', data: undefined, hasNextPage: false, warnings: [] }
    expect(now()).toMatchObject({ ...nothing, response_time: undefined })
    const seen: unknown[] = []
    stream.subscribe(({ data }) => seen.push(indexes(data)))
    await pass(0)
    expect(seen).toEqual([undefined, range(0, 10)])
  })

  it('shows pages that somebody else put there', async () => {
    const { now, client } = watch()
    await pass(0)
    const { queryKey } = tokenHoldersQueryOptions(client, token)
    const page = { ...list.answer('/?limit=1'), holders: [holder(7)], next_offset: null }
    client.queryClient.setQueryData(queryKey, page)
    await pass(0)
    expect(indexes(now().data)).toEqual([7])
    expect(now().hasNextPage).toBe(false)
  })

  it('serves two clients, each on its own', async () => {
    const queryClient = new QueryClient()
    const first = watch({}, create({ queryClient }))
    const second = watch({}, create({ queryClient }))
    await pass(0)
    first.client.destroy()
    void second.now().fetchNextPage()
    await pass(0)
    expect(indexes(second.now().data)).toEqual(range(0, 20))
  })
})

describe('what pages tell beside their rows', () => {
  const tokenError = (chain_id: number) => ({ chain_id, address: 'native', description: 'No' })
  const warning = (code: string) => ({ code, message: `Message ${code}` })

  it('is told of all pages together, every warning once', async () => {
    const tokenErrors = [tokenError(1), tokenError(2), undefined, tokenError(4)]
    service.answer = (count) => {
      const error = tokenErrors[count - 1]
      return json({
        ...balances(balance({ chain_id: count })),
        warnings: [warning('ALL'), warning(String(count))],
        ...(error && { errors: { error_message: 'Some.', token_errors: [error] } }),
        ...(count < 4 && { next_offset: String(count) }),
        response_time: 'now',
      })
    }
    const stream = watchBalances(create(), { address }, { refetchInterval: false })
    stream.subscribe()
    await pass(0)
    expect(stream.getSnapshot()).toMatchObject({ response_time: 'now' })
    void stream.getSnapshot().fetchAll()
    await pass(0)
    const { warnings, errors } = stream.getSnapshot()
    expect(warnings.map(({ code }) => code)).toEqual(['ALL', '1', '2', '3', '4'])
    expect(errors).toEqual({
      error_message: 'Some.',
      token_errors: [tokenError(1), tokenError(2), tokenError(4)],
    })
  })
})
