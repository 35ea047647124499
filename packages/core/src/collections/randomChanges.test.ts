import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { createHolders, indexes } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { serve, watch, change, list } = holdersInFakeTime()

describe('a listing that changes at random', () => {
  const step = fc.oneof(
    fc.record({ index: fc.nat(45), amount: fc.constantFrom(0, 1, 500_000, 999_985, 2_000_000) }),
    fc.constantFrom('poll' as const, 'more' as const),
  )
  const serviceRows = () => {
    const all = createHolders(0)
    all.holders = list.holders
    return indexes(all.respond('/?limit=1000').holders)!
  }

  it('contains each row once, starts with the current head, and is exact after refetch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        serve(35)
        const { now, subscription } = watch()
        await advance(0)
        for (const each of steps) {
          if (each === 'more') {
            void now().fetchNextPage()
            await advance(0)
          } else if (each === 'poll') {
            await advance(10_200)
            expect(indexes(now().data)?.slice(0, 10)).toEqual(serviceRows().slice(0, 10))
          } else {
            change(each.index, each.amount)
          }
          const displayed = indexes(now().data)!
          expect(new Set(displayed).size).toBe(displayed.length)
        }
        void now().refetch()
        await advance(0)
        const displayed = indexes(now().data)!
        expect(displayed).toEqual(serviceRows().slice(0, displayed.length))
        void now().fetchAll()
        await advance(0)
        expect(indexes(now().data)).toEqual(serviceRows())
        expect(now().warnings).toEqual([])
        subscription.unsubscribe()
        await advance(1000)
      }),
      { numRuns: 20 },
    )
  })
})
