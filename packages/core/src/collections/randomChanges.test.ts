import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { createHolders, indexes } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, serve, watch, change, list } = holdersInFakeTime()

/** All rows of the service, in order. */
const serviceRows = () => {
  const all = createHolders(0)
  all.holders = list.holders
  return all.respond('/?limit=1000').holders
}

describe('a listing that changes at random', () => {
  const changeOfRow = fc.record({
    index: fc.nat(45),
    amount: fc.constantFrom(0, 1, 500_000, 999_985, 2_000_000),
  })

  it('contains each row once, starts with the current head, and is exact after refetch', async () => {
    const step = fc.oneof(changeOfRow, fc.constantFrom('poll' as const, 'more' as const))
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
            expect(indexes(now().data)?.slice(0, 10)).toEqual(indexes(serviceRows().slice(0, 10)))
          } else {
            change(each.index, each.amount)
          }
          const displayed = indexes(now().data)!
          expect(new Set(displayed).size).toBe(displayed.length)
        }
        void now().refetch()
        await advance(0)
        const displayed = indexes(now().data)!
        expect(displayed).toEqual(indexes(serviceRows().slice(0, displayed.length)))
        void now().fetchAll()
        await advance(0)
        expect(indexes(now().data)).toEqual(indexes(serviceRows()))
        subscription.unsubscribe()
        await advance(1000)
      }),
      { numRuns: 20 },
    )
  })

  it('is current while it has no warning, and ends in the truth by itself', async () => {
    const tailRefetchInterval = 60_000
    /** A page is refetched within its interval, and reported as outdated after twice as long. */
    const window = 2 * tailRefetchInterval + 20_000
    const shrink = fc.constant('shrink' as const)
    const step = fc.record({
      changes: fc.array(fc.oneof({ weight: 9, arbitrary: changeOfRow }, shrink), { maxLength: 3 }),
      pause: fc.constantFrom(100, 2000, 9000, 30_000),
      fails: fc.boolean(),
    })
    const steps = fc.array(step, { minLength: 10, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(0, 300, 3000), async (all, latency) => {
        serve(45)
        const { respond } = service
        let fails = false
        service.respond = async (count) => {
          const response = fails ? json({ error: 'No' }, { status: 503 }) : respond(count)
          await new Promise((resolve) => setTimeout(resolve, latency))
          return response
        }
        /** The rows of the service at the times at which they changed, oldest first. */
        const history: { at: number; rows: Map<string, string> }[] = []
        const save = () => {
          const rows = new Map(serviceRows().map((each) => [each.wallet_address, each.balance]))
          history.push({ at: Date.now(), rows })
        }
        const { now, subscription } = watch({ tailRefetchInterval })
        const isComplete = () => {
          const { status, hasNextPage, warnings } = now()
          return status === 'success' && !hasNextPage && warnings.length === 0
        }
        const expectCurrentRows = () => {
          const displayed = new Map(now().data?.map((each) => [each.wallet_address, each.balance]))
          const before = history.findLastIndex(({ at }) => at <= Date.now() - window)
          const recent = history.slice(Math.max(0, before)).map(({ rows }) => rows)
          for (const [address, balance] of displayed) {
            expect(recent.some((rows) => rows.get(address) === balance)).toBe(true)
          }
          for (const address of recent[0]!.keys()) {
            const wasAlwaysThere = recent.every((rows) => rows.has(address))
            expect(!wasAlwaysThere || displayed.has(address)).toBe(true)
          }
        }
        save()
        await advance(3 * latency)
        void now().fetchAll()
        await advance(10 * latency + 20_000)
        expect(isComplete()).toBe(true)
        for (const { changes, pause, ...each } of all) {
          fails = each.fails
          for (const one of changes) {
            if (one === 'shrink') {
              list.holders = serviceRows().slice(0, 15)
            } else {
              change(one.index, one.amount)
            }
          }
          save()
          await advance(pause)
          if (now().hasNextPage) {
            void now().fetchAll()
          }
          const displayed = indexes(now().data)!
          expect(new Set(displayed).size).toBe(displayed.length)
          if (isComplete()) {
            expectCurrentRows()
          }
        }
        fails = false
        await advance(20 * 60_000)
        void now().fetchAll()
        await advance(10 * tailRefetchInterval)
        expect(isComplete()).toBe(true)
        expect(now().data).toEqual(serviceRows())
        subscription.unsubscribe()
        await advance(1000)
      }),
      { numRuns: 30 },
    )
  })
})
