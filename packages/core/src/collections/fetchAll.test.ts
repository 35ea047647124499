import { describe, expect, it, vi } from 'vitest'
import { pass } from '../../test/clientsInFakeTime.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { serve, watch } = holdersInFakeTime()

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
