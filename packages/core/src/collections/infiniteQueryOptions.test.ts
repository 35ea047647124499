import { InfiniteQueryObserver } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime, token } from '../../test/holdersInFakeTime.ts'
import { skipToken, tokenHoldersInfiniteQueryOptions, tokenHoldersQueryFilter } from '../index.ts'

const { service, create, list, change } = holdersInFakeTime()

function observe() {
  const { queryClient, ...client } = create()
  const options = tokenHoldersInfiniteQueryOptions({ ...client, queryClient }, token)
  const observer = new InfiniteQueryObserver(queryClient, { ...options, staleTime: Infinity })
  observer.subscribe(() => undefined)
  const rows = () => observer.getCurrentResult().data?.pages.map(({ holders }) => indexes(holders))
  return { client, queryClient, observer, rows }
}

describe('infinite query options', () => {
  it('load the largest pages, one after the other, to the end', async () => {
    const { observer, rows } = observe()
    await advance(0)
    expect(rows()).toEqual([range(0, 10)])
    while (observer.getCurrentResult().hasNextPage) {
      await observer.fetchNextPage()
    }
    expect(rows()).toEqual([range(0, 10), range(10, 20), range(20, 30), range(30, 35)])
    expect(service.requests).toHaveLength(4)
    expect(service.requests.every(({ url }) => /limit=\d{3}/.test(url))).toBe(true)
  })

  it('keep the identity of unchanged pages', async () => {
    const { observer, queryClient } = observe()
    await advance(0)
    await observer.fetchNextPage()
    const before = observer.getCurrentResult().data
    await queryClient.refetchQueries()
    expect(observer.getCurrentResult().data).toBe(before)
    change(15, 155)
    await queryClient.refetchQueries()
    expect(observer.getCurrentResult().data?.pages[0]).toBe(before?.pages[0])
    expect(observer.getCurrentResult().data).not.toBe(before)
  })

  it('end a listing with a repeated cursor', async () => {
    list.readCursor = () => null
    const { observer } = observe()
    await advance(0)
    for (let page = 0; page < 20 && observer.getCurrentResult().hasNextPage; page++) {
      await observer.fetchNextPage()
    }
    expect(service.requests.length).toBeLessThan(10)
  })

  it('are invalidated by the filter of their operation', async () => {
    const { observer, queryClient, client } = observe()
    await advance(0)
    await observer.fetchNextPage()
    service.requests.length = 0
    const filter = tokenHoldersQueryFilter({ ...client, queryClient }, token)
    await queryClient.invalidateQueries(filter)
    expect(service.requests).toHaveLength(2)
  })

  it('are disabled while parameters are unknown', async () => {
    const { queryClient, ...client } = create()
    for (const parameters of [skipToken, { ...token, address: undefined }] as const) {
      const options = tokenHoldersInfiniteQueryOptions({ ...client, queryClient }, parameters)
      const observer = new InfiniteQueryObserver(queryClient, options)
      observer.subscribe(() => undefined)
      await advance(1000)
      expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', fetchStatus: 'idle' })
    }
    expect(service.requests).toEqual([])
  })
})
