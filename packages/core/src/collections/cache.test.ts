import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { pass } from '../../test/clientsInFakeTime.ts'
import { holder, indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime, token } from '../../test/holdersInFakeTime.ts'
import { tokenHoldersQueryOptions } from '../operations/tokenHolders.ts'

const { create, list, watch } = holdersInFakeTime()

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
