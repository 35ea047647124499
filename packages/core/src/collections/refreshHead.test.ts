import { describe, expect, it } from 'vitest'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { rejectWith } from '../../test/createFakeService.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, list, serve, watch, watchLoaded, change, offsets } = holdersInFakeTime()

describe('a poll of a listing', () => {
  it('fetches only the first page, and emits nothing without a change', async () => {
    const { emitted } = await watchLoaded(3)
    const before = emitted.length
    await advance(50_500)
    expect(offsets()).toEqual([false, false, false, false, false])
    expect(emitted).toHaveLength(before)
  })

  it('keeps the identity of unchanged rows, wherever they move', async () => {
    const { now } = await watchLoaded(3)
    const before = new Map(now().data?.map((row) => [row.wallet_address, row]))
    change(25, 5_000_000)
    await advance(10_100)
    expect(indexes(now().data)).toEqual([25, ...range(0, 25), ...range(26, 30)])
    for (const row of now().data?.slice(1) ?? []) {
      expect(row).toBe(before.get(row.wallet_address))
    }
  })

  it('replaces the list if no other page is loaded', async () => {
    const { now } = await watchLoaded(1)
    change(3, 0)
    change(5, 1)
    await advance(10_100)
    expect(indexes(now().data)).toEqual([0, 1, 2, 4, 6, 7, 8, 9, 10, 11])
    expect(service.requests).toHaveLength(1)
    void now().fetchNextPage()
    await advance(0)
    expect(indexes(now().data)?.slice(10)).toEqual(range(12, 22))
  })

  it('replaces the list if the service has no other page', async () => {
    const { now } = await watchLoaded(4)
    list.holders = list.holders.slice(0, 7)
    await advance(10_100)
    expect(indexes(now().data)).toEqual(range(0, 7))
    expect(now().hasNextPage).toBe(false)
    expect(service.requests).toHaveLength(1)
  })

  it('searches stale rows page by page until all were found', async () => {
    const { now } = await watchLoaded(4)
    change(5, 1_000_000 - 14.5 + 0.5)
    await advance(10_100)
    expect(offsets()).toEqual([false, true])
    const displayed = indexes(now().data)!
    expect(displayed.indexOf(5)).toBeGreaterThan(displayed.indexOf(13))
    expect(displayed.indexOf(5)).toBeLessThan(displayed.indexOf(16))
    expect(new Set(displayed)).toEqual(new Set(range(0, 35)))
    expect(now().warnings).toEqual([])
  })

  it('finds a row that fell to the end of the listing', async () => {
    const { now } = await watchLoaded(4)
    change(3, 1)
    await advance(10_100)
    expect(offsets()).toEqual([false, true, true, true])
    expect(indexes(now().data)).toEqual([...range(0, 3), ...range(4, 35), 3])
    expect(now().data?.at(-1)?.balance).toBe('1')
    expect(now().warnings).toEqual([])
  })

  it('removes a row that is nowhere, and searches once more before it is sure', async () => {
    const { now } = await watchLoaded(4)
    change(3, 0)
    await advance(10_000)
    expect(indexes(now().data)).toContain(3)
    expect(now().warnings).toMatchObject([{ code: 'ROWS_MOVED' }])
    await advance(100)
    expect(offsets()).toEqual([false, true, true, true])
    expect(indexes(now().data)).toEqual([...range(0, 3), ...range(4, 35)])
    expect(now().warnings).toMatchObject([{ code: 'ROWS_MOVED' }])
    await advance(119_000)
    expect(offsets().filter(Boolean)).toHaveLength(3)
    await advance(2000)
    expect(offsets().filter(Boolean)).toHaveLength(6)
    expect(now().warnings).toEqual([])
    await advance(280_000)
    expect(offsets().filter(Boolean)).toHaveLength(6)
  })

  it('finds a row that moved up while the pages were read', async () => {
    const { now } = await watchLoaded(4)
    const { respond } = service
    service.respond = (count) => {
      const page = respond(count)
      if (offsets().filter(Boolean).length === 1) {
        // It was to be read on the third page.
        change(25, 1_000_000 - 11.5 + 0.5)
      }
      return page
    }
    change(3, 1)
    await advance(10_100)
    expect(indexes(now().data)).not.toContain(25)
    expect(now().warnings).toMatchObject([{ code: 'ROWS_MOVED' }])
    await advance(120_000)
    expect(new Set(indexes(now().data))).toEqual(new Set(range(0, 35)))
    expect(now().warnings).toEqual([])
  })

  it('gives up a search after ten pages, until all pages are refetched', async () => {
    serve(300)
    const { now } = await watchLoaded(30)
    change(3, 1)
    await advance(10_100)
    expect(offsets().filter(Boolean)).toHaveLength(10)
    expect(indexes(now().data)).not.toContain(3)
    expect(now().warnings).toMatchObject([{ code: 'OUTDATED_PAGES' }])
    await advance(30 * 30_000)
    expect(offsets().filter(Boolean)).toHaveLength(39)
    expect(indexes(now().data)?.at(-1)).toBe(3)
    expect(now().warnings).toEqual([])
  })

  it('searches at most once a minute, for all stale rows', async () => {
    const { now } = await watchLoaded(4)
    await advance(100)
    for (let round = 0; round < 12; round++) {
      // At the end of the first page two rows swap, and one moves to the end of the second.
      change(9 + (round % 2), 1_000_000 - 9)
      change(10 - (round % 2), 1_000_000 - 10)
      if (round === 3) {
        change(4, 1_000_000 - 18)
      }
      await advance(10_000)
      const displayed = indexes(now().data)!
      expect(new Set(displayed).size).toBe(displayed.length)
      expect(displayed).toContain(4)
    }
    expect(offsets().filter((isBelow) => !isBelow)).toHaveLength(12)
    expect(offsets().filter(Boolean).length).toBeLessThanOrEqual(3)
    expect(now().data?.find(({ balance }) => balance === '999982')).toBeDefined()
  })

  it('searches only while the first page is current', async () => {
    const { now } = await watchLoaded(4)
    change(5, 1)
    await advance(10_000)
    service.respond = rejectWith(402)
    await advance(120_000)
    expect(now().status).toBe('error')
    expect(indexes(now().data)).toContain(5)
    expect(offsets().filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  it('continues after the newest pages', async () => {
    const { now } = await watchLoaded(2)
    change(2, 0)
    change(30, 3_000_000)
    await advance(10_100)
    void now().fetchAll()
    await advance(0)
    expect(indexes(now().data)).toEqual([30, ...range(0, 2), ...range(3, 30), ...range(31, 35)])
  })

  it('keeps a row that moves from the first to the second page while that is in flight', async () => {
    const { now } = watch()
    await advance(0)
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    const { respond } = service
    service.respond = async (count) => {
      const page = respond(count)
      if (service.requests.at(-1)?.url.includes('offset')) {
        await gate
      }
      return page
    }
    void now().fetchNextPage()
    await advance(0)
    change(34, 3_000_000)
    await advance(10_100)
    expect(indexes(now().data)).toEqual([34, ...range(0, 10)])
    release()
    await advance(0)
    expect(indexes(now().data)).toEqual([34, ...range(0, 19)])
    void now().fetchAll()
    await advance(0)
    expect(indexes(now().data)).toEqual([34, ...range(0, 34)])
  })

  it.each(['fails', 'is aborted'])(
    'replaces the list when the second page %s that was in flight meanwhile',
    async (outcome) => {
      const { subscription, stream, now } = watch()
      await advance(0)
      const { respond } = service
      let settle = () => {}
      service.respond = (count) =>
        service.requests.at(-1)?.url.includes('offset')
          ? new Promise((resolve) => (settle = () => resolve(rejectWith(404)())))
          : respond(count)
      void now().fetchNextPage()
      await advance(0)
      change(3, 0)
      await advance(10_100)
      expect(indexes(now().data)).toEqual([...range(0, 3), ...range(4, 11), 3])
      if (outcome === 'fails') {
        settle()
      } else {
        subscription.unsubscribe()
        await advance(1000)
        record(stream)
      }
      await advance(0)
      expect(indexes(now().data)).toEqual([...range(0, 3), ...range(4, 11)])
      expect(now().warnings).toEqual([])
      service.respond = respond
      void now().fetchNextPage()
      await advance(0)
      expect(indexes(now().data)).toEqual([...range(0, 3), ...range(4, 21)])
    },
  )

  it('emits nothing for changes below the revealed rows', async () => {
    const { emitted, now } = watch({ pageSize: 3 })
    await advance(0)
    change(7, 999_000)
    change(9, 0)
    await advance(10_100)
    expect(emitted).toHaveLength(2)
    for (let page = 0; page < 3; page++) {
      void now().fetchNextPage()
    }
    expect(indexes(now().data)).toEqual([...range(0, 7), 8, 10, 11])
  })
})
