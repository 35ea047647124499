import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { watchLoaded, change, offsets } = holdersInFakeTime()

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
})
