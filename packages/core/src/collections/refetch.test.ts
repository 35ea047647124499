import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'
import { showsPolls } from '../../test/showsPolls.ts'

const { service, watchLoaded, change, offsets } = holdersInFakeTime()

describe('isFetching of a listing', () => {
  /** Loads pages, and records `isFetching` of the snapshots, and at each request. */
  async function record(pages = 3) {
    const watched = await watchLoaded(pages)
    const emitted: boolean[] = []
    const atRequests: boolean[] = []
    watched.stream.subscribe(({ isFetching }) => void emitted.push(isFetching))
    emitted.length = 0
    const { respond } = service
    service.respond = (...parameters) => {
      atRequests.push(emitted.at(-1) ?? false)
      return respond(...parameters)
    }
    return { ...watched, emitted, atRequests }
  }

  it('covers all pages of a refetch', async () => {
    const { now, emitted, atRequests } = await record()
    void now().refetch()
    await advance(0)
    expect(atRequests).toEqual([true, true, true])
    expect(emitted.at(-1)).toBe(false)
  })

  it('covers all pages of an invalidation', async () => {
    const { client, emitted, atRequests } = await record()
    void client.queryClient.invalidateQueries()
    await advance(0)
    expect(atRequests).toEqual([true, true, true])
    expect(emitted.at(-1)).toBe(false)
  })

  it('covers refetches in the background', async () => {
    const { emitted, atRequests } = await record()
    await advance(5 * 60_000 + 100)
    expect(offsets().filter(Boolean)).toHaveLength(2)
    // Versions of query-core before 5.102 do not show polls of the first page.
    const isFetching = atRequests.filter((_, index) => showsPolls || offsets()[index])
    expect(isFetching.length).toBeGreaterThanOrEqual(2)
    expect(isFetching).not.toContain(false)
    expect(emitted.at(-1)).toBe(false)
  })

  it('changes once if only the first page is loaded', async () => {
    const { now, emitted } = await record(1)
    void now().refetch()
    await advance(0)
    expect(emitted).toEqual([true, false])
  })
})

describe('refetch', () => {
  it('reloads all loaded pages and removes rows that are gone', async () => {
    const { now } = await watchLoaded(3)
    change(15, 0)
    change(25, 0)
    void now().refetch()
    await advance(0)
    expect(offsets()).toEqual([false, true, true])
    expect(indexes(now().data)).toEqual([...range(0, 15), ...range(16, 25), ...range(26, 32)])
    expect(now().hasNextPage).toBe(true)
  })

  it.each([401, 429])('ends at the first page if that fails with %i', async (status) => {
    const { now } = await watchLoaded(3)
    const { respond } = service
    service.respond = () => json({ error: 'No' }, { status, headers: { 'retry-after': '60' } })
    void now().refetch()
    await advance(0)
    expect(offsets()).toEqual([false])
    expect(now()).toMatchObject({ status: 'error', error: { status } })
    service.respond = respond
    void now().refetch()
    await advance(0)
    expect(offsets()).toEqual([false, false, true, true])
    expect(now()).toMatchObject({ status: 'success', error: null })
  })
})
