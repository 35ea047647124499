import { describe, expect, it } from 'vitest'
import { otherAddress } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime, token } from '../../test/holdersInFakeTime.ts'
import { tokenHoldersQueryOptions, watchTokenHolders } from '../operations/tokenHolders.ts'

const { service, create, watch } = holdersInFakeTime()

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
