import { describe, expect, it } from 'vitest'
import { pass } from '../../test/clientsInFakeTime.ts'
import { refusing } from '../../test/createFakeService.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, list, watch, watchLoaded, change, offsets } = holdersInFakeTime()

describe('a poll', () => {
  it('asks for the first page alone and emits nothing when nothing changed', async () => {
    const { seen } = await watchLoaded(3)
    const before = seen.length
    await pass(50_500)
    expect(offsets()).toEqual([false, false, false, false, false])
    expect(seen).toHaveLength(before)
  })

  it('keeps rows the same objects that did not change, wherever they move', async () => {
    const { now } = await watchLoaded(3)
    const before = new Map(now().data?.map((row) => [row.wallet_address, row]))
    change(25, 5_000_000)
    await pass(10_100)
    expect(indexes(now().data)).toEqual([25, ...range(0, 25), ...range(26, 30)])
    for (const row of now().data?.slice(1) ?? []) {
      expect(row).toBe(before.get(row.wallet_address))
    }
  })

  it('is the whole listing where nothing else was read', async () => {
    const { now } = await watchLoaded(1)
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
    const { now } = await watchLoaded(4)
    list.holders = list.holders.slice(0, 7)
    await pass(10_100)
    expect(indexes(now().data)).toEqual(range(0, 7))
    expect(now().hasNextPage).toBe(false)
    expect(service.asked).toHaveLength(1)
  })

  it('looks on the second page for rows that left the first: they moved, or are gone', async () => {
    const { now } = await watchLoaded(4)
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
    const { now } = await watchLoaded(4)
    for (let round = 0; round < 12; round++) {
      // At the end of the first page two rows change places, and one leaves the listing.
      change(9 + (round % 2), 1_000_000 - 9)
      change(10 - (round % 2), 1_000_000 - 10)
      if (round === 3) {
        change(4, 0)
      }
      await pass(10_000)
      const shown = indexes(now().data)!
      expect(new Set(shown).size).toBe(shown.length)
      if (round === 4) {
        expect(shown).toContain(4)
      }
    }
    await pass(100)
    expect(offsets().filter((isBelow) => !isBelow)).toHaveLength(12)
    expect(offsets().filter(Boolean).length).toBeLessThanOrEqual(3)
    expect(indexes(now().data)).not.toContain(4)
  })

  it('looks for them also when no poll brings anything else, but only after one that went well', async () => {
    const { now } = await watchLoaded(4)
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
    service.answer = refusing(402)
    await pass(120_000)
    expect(now().status).toBe('error')
    expect(indexes(now().data)).toContain(6)
    expect(offsets().filter(Boolean)).toHaveLength(2)
  })

  it('forgets a row that fell further than the second page, until its page is read again', async () => {
    const { now } = await watchLoaded(4)
    change(3, 1)
    await pass(10_100)
    expect(indexes(now().data)).not.toContain(3)
    void now().refetch()
    await pass(0)
    expect(indexes(now().data)).toEqual([...range(0, 3), ...range(4, 35), 3])
  })

  it('goes on where the newest pages end', async () => {
    const { now } = await watchLoaded(2)
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
      if (service.asked.at(-1)?.url.includes('offset')) {
        await gate
      }
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
    for (let page = 0; page < 3; page++) {
      void now().fetchNextPage()
    }
    expect(indexes(now().data)).toEqual([...range(0, 7), 8, 10, 11])
  })
})
