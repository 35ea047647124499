import { describe, expect, it, vi } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, serve, watch } = holdersInFakeTime()

describe('fetchAll', () => {
  it('loads all pages and reports its progress', async () => {
    const onProgress = vi.fn()
    const { now } = watch({ pageSize: 4 })
    await advance(0)
    const done = now().fetchAll({ onProgress })
    await advance(0)
    await done
    expect(indexes(now().data)).toEqual(range(0, 35))
    expect(onProgress.mock.calls.flat()).toEqual([
      { pages: 2, rows: 20 },
      { pages: 3, rows: 30 },
      { pages: 4, rows: 35 },
    ])
    expect(now()).toMatchObject({ hasNextPage: false, isFetchingNextPage: false })
  })

  it('emits when the rows grew by a quarter, with isFetchingNextPage throughout', async () => {
    serve(400)
    const { emitted, now } = watch()
    await advance(0)
    void now().fetchAll()
    await advance(0)
    const displayed = emitted.slice(2).map(({ data }) => data?.length ?? 0)
    expect(displayed.at(-1)).toBe(400)
    expect(displayed.length).toBeLessThan(30)
    expect(new Set(emitted.slice(2, -1).map((each) => each.isFetchingNextPage))).toEqual(
      new Set([true]),
    )
    expect(emitted.at(-1)?.isFetchingNextPage).toBe(false)
  })

  it('emits the error of a refetch meanwhile', async () => {
    serve(400)
    const { now } = watch()
    await advance(0)
    const { respond } = service
    const offsets: (string | null)[] = []
    service.respond = async (count) => {
      const offset = new URL(service.requests.at(-1)!.url).searchParams.get('offset')
      if (offset !== null && offsets.includes(offset)) {
        return json({ error: 'No' }, { status: 404 })
      }
      offsets.push(offset)
      const response = respond(count)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return response
    }
    void now().fetchAll()
    await advance(20_500)
    void now().refetch()
    await advance(2000)
    expect(now()).toMatchObject({ status: 'error', error: { status: 404 } })
    await advance(1000)
    expect(now()).toMatchObject({ status: 'success', isFetchingNextPage: true })
  })

  it('stops when its signal aborts, and keeps the loaded rows', async () => {
    const controller = new AbortController()
    const { now } = watch()
    await advance(0)
    const done = now().fetchAll({
      signal: controller.signal,
      onProgress: ({ pages }) => pages === 3 && controller.abort(),
    })
    await advance(0)
    await done
    expect(indexes(now().data)).toEqual(range(0, 30))
    expect(now()).toMatchObject({ status: 'success', hasNextPage: true, isFetchingNextPage: false })
  })

  it('stops at maxPages', async () => {
    const { now } = watch()
    await advance(0)
    void now().fetchAll({ maxPages: 3 })
    await advance(0)
    expect(now().data).toHaveLength(30)
    expect(now()).toMatchObject({ hasNextPage: true, warnings: [] })
  })

  it('rejects with the error that onProgress throws', async () => {
    const bug = new Error('bug')
    const { now } = watch()
    await advance(0)
    const done = now().fetchAll({
      onProgress: () => {
        throw bug
      },
    })
    await expect(done).rejects.toBe(bug)
    expect(now().isFetchingNextPage).toBe(false)
  })

  it('starts with the first page', async () => {
    const { now } = watch({ enabled: false })
    void now().fetchAll()
    await advance(0)
    expect(indexes(now().data)).toEqual(range(0, 35))
  })
})
