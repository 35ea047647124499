import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { holder, indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, list, serve, watch } = holdersInFakeTime()

describe('a listing that loops', () => {
  it('ends when an expired cursor returns the first page', async () => {
    serve(35)
    list.readCursor = () => null
    const { now } = watch()
    await advance(0)
    void now().fetchAll()
    await advance(0)
    expect(indexes(now().data)).toEqual(range(0, 10))
    expect(now()).toMatchObject({
      status: 'success',
      hasNextPage: false,
      warnings: [{ code: 'LISTING_LOOPS' }],
    })
    expect(service.requests).toHaveLength(2)
  })

  it('ends at a repeated cursor, also if it returns new rows', async () => {
    service.respond = (count) =>
      json({ ...list.respond('/?limit=1'), holders: [holder(count)], next_offset: `${count % 3}` })
    const { now } = watch()
    await advance(0)
    void now().fetchAll()
    await advance(0)
    expect(service.requests.length).toBeLessThan(7)
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [{ code: 'LISTING_LOOPS' }] })
  })

  it('ends after too many empty pages', async () => {
    service.respond = (count) => {
      const holders = count === 1 ? [holder(1)] : []
      return json({ ...list.respond('/?limit=1'), holders, next_offset: `${count}` })
    }
    const { now } = watch()
    await advance(0)
    void now().fetchAll()
    await advance(0)
    expect(service.requests).toHaveLength(10)
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [{ code: 'LISTING_LOOPS' }] })
  })

  it('continues after a few empty pages', async () => {
    service.respond = (count) => {
      const holders = count % 8 === 1 ? [holder(count)] : []
      const next_offset = count < 17 ? `${count}` : null
      return json({ ...list.respond('/?limit=1'), holders, next_offset })
    }
    const { now } = watch()
    await advance(0)
    void now().fetchAll()
    await advance(0)
    expect(indexes(now().data)).toEqual([1, 9, 17])
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [] })
  })
})
