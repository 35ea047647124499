import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pass } from '../../test/clientsInFakeTime.ts'
import { createHolders, indexes } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { serve, watch, change, list } = holdersInFakeTime()

describe('holders that come, go and change at random', () => {
  const step = fc.oneof(
    fc.record({ index: fc.nat(45), amount: fc.constantFrom(0, 1, 500_000, 999_985, 2_000_000) }),
    fc.constantFrom('poll' as const, 'more' as const),
  )
  const truth = () => {
    const all = createHolders(0)
    all.holders = list.holders
    return indexes(all.answer('/?limit=1000').holders)!
  }

  it('are shown once each, the first page as it is, and after a refresh all as they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        serve(35)
        const { now, subscription } = watch()
        await pass(0)
        for (const each of steps) {
          if (each === 'more') {
            void now().fetchNextPage()
            await pass(0)
          } else if (each === 'poll') {
            await pass(10_200)
            expect(indexes(now().data)?.slice(0, 10)).toEqual(truth().slice(0, 10))
          } else {
            change(each.index, each.amount)
          }
          const shown = indexes(now().data)!
          expect(new Set(shown).size).toBe(shown.length)
        }
        void now().refetch()
        await pass(0)
        const shown = indexes(now().data)!
        expect(shown).toEqual(truth().slice(0, shown.length))
        void now().fetchAll()
        await pass(0)
        expect(indexes(now().data)).toEqual(truth())
        expect(now().warnings).toEqual([])
        subscription.unsubscribe()
        await pass(1000)
      }),
      { numRuns: 60 },
    )
  })
})
