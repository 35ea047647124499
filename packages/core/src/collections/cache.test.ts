import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { holder, indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime, token } from '../../test/holdersInFakeTime.ts'
import { tokenHoldersQueryOptions } from '../operations/tokenHolders.ts'

const { create, list, watch } = holdersInFakeTime()

describe('a listing in the cache', () => {
  it('restarts when the cache is cleared or the query is reset', async () => {
    const queryClient = new QueryClient()
    const { now } = watch({}, create({ queryClient }))
    await advance(0)
    void now().fetchAll()
    await advance(0)
    void queryClient.resetQueries()
    expect(now()).toMatchObject({ status: 'pending', data: undefined, hasNextPage: false })
    await advance(0)
    expect(indexes(now().data)).toEqual(range(0, 10))
    void now().fetchAll()
    await advance(0)
    queryClient.clear()
    await advance(10_100)
    expect(indexes(now().data)).toEqual(range(0, 10))
  })

  it('keeps nothing when the cache is cleared without subscribers', async () => {
    const { subscription, now, stream, client } = watch({ gcTime: 60_000 })
    await advance(0)
    void now().fetchAll()
    await advance(0)
    subscription.unsubscribe()
    await advance(1000)
    expect(now()).toMatchObject({ status: 'success', data: { length: 35 } })
    client.queryClient.clear()
    const nothing = { status: 'pending', data: undefined, hasNextPage: false, warnings: [] }
    expect(now()).toMatchObject({ ...nothing, response_time: undefined })
    const emitted: unknown[] = []
    stream.subscribe(({ data }) => emitted.push(indexes(data)))
    await advance(0)
    expect(emitted).toEqual([undefined, range(0, 10)])
  })

  it('emits a first page that other code wrote', async () => {
    const { now, client } = watch()
    await advance(0)
    const { queryKey } = tokenHoldersQueryOptions(client, token)
    const page = { ...list.respond('/?limit=1'), holders: [holder(7)], next_offset: null }
    client.queryClient.setQueryData(queryKey, page)
    await advance(0)
    expect(indexes(now().data)).toEqual([7])
    expect(now().hasNextPage).toBe(false)
  })

  it('has separate tails for two clients', async () => {
    const queryClient = new QueryClient()
    const first = watch({}, create({ queryClient }))
    const second = watch({}, create({ queryClient }))
    await advance(0)
    first.client.destroy()
    void second.now().fetchNextPage()
    await advance(0)
    expect(indexes(second.now().data)).toEqual(range(0, 20))
  })
})
