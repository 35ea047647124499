import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime, token } from '../../test/holdersInFakeTime.ts'
import { tokenHoldersQueryFilter } from '../index.ts'

const { service, watch, watchLoaded, change, offsets } = holdersInFakeTime()

describe('invalidation of a listing', () => {
  it('refetches all loaded pages', async () => {
    const { now, client } = await watchLoaded(3)
    change(0, 0)
    change(25, 0)
    await client.queryClient.invalidateQueries(tokenHoldersQueryFilter(client, token))
    await advance(0)
    expect(offsets()).toEqual([false, true, true])
    expect(indexes(now().data)).toEqual([...range(1, 25), ...range(26, 32)])
  })

  it('also refetches them if the first page is unchanged', async () => {
    const { now, client } = await watchLoaded(2)
    change(15, 0)
    await client.queryClient.invalidateQueries(tokenHoldersQueryFilter(client))
    await advance(0)
    expect(indexes(now().data)).toEqual([...range(0, 15), ...range(16, 21)])
  })

  it('sends no more than the first page if no other one is loaded', async () => {
    const { client } = watch()
    await advance(0)
    service.requests.length = 0
    await client.queryClient.invalidateQueries(tokenHoldersQueryFilter(client))
    await advance(0)
    expect(offsets()).toEqual([false])
  })

  it('waits for the next response if it only marks queries as stale', async () => {
    const { client } = await watchLoaded(2)
    const filter = tokenHoldersQueryFilter(client)
    await client.queryClient.invalidateQueries({ ...filter, refetchType: 'none' })
    await advance(0)
    expect(offsets()).toEqual([])
    await advance(10_100)
    expect(offsets()).toEqual([false, true])
    await advance(10_100)
    expect(offsets()).toEqual([false, true, false])
  })
})
