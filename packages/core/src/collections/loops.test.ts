import { describe, expect, it } from 'vitest'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { holder, indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, list, serve, watch } = holdersInFakeTime()

describe('a service that goes round in circles', () => {
  it('ends the listing when a dead cursor is answered with the first page', async () => {
    serve(35)
    list.readCursor = () => null
    const { now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    expect(indexes(now().data)).toEqual(range(0, 10))
    expect(now()).toMatchObject({
      status: 'success',
      hasNextPage: false,
      warnings: [{ code: 'LISTING_LOOPS' }],
    })
    expect(service.asked).toHaveLength(2)
  })

  it('ends it at a cursor that was asked before, also when rows come that are new', async () => {
    service.answer = (count) =>
      json({ ...list.answer('/?limit=1'), holders: [holder(count)], next_offset: `${count % 3}` })
    const { now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    expect(service.asked.length).toBeLessThan(7)
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [{ code: 'LISTING_LOOPS' }] })
  })

  it('ends it at empty pages that promise more for ever', async () => {
    service.answer = (count) => {
      const holders = count === 1 ? [holder(1)] : []
      return json({ ...list.answer('/?limit=1'), holders, next_offset: `${count}` })
    }
    const { now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    expect(service.asked).toHaveLength(10)
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [{ code: 'LISTING_LOOPS' }] })
  })

  it('is not suspected of it for a few empty pages', async () => {
    service.answer = (count) => {
      const holders = count % 8 === 1 ? [holder(count)] : []
      const next_offset = count < 17 ? `${count}` : null
      return json({ ...list.answer('/?limit=1'), holders, next_offset })
    }
    const { now } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    expect(indexes(now().data)).toEqual([1, 9, 17])
    expect(now()).toMatchObject({ hasNextPage: false, warnings: [] })
  })
})
