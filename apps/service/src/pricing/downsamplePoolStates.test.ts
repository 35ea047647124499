import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { fromHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { downsamplePoolStates } from './downsamplePoolStates.ts'
import { keepPriceHistory } from './keepPriceHistory.ts'

const day = 86_400
const history = { exactDays: 2, bucketMinutes: 5 }
const [one, two] = [testAddress(0x101), testAddress(0x102)]
/** The start of a bucket. */
const start = 1_700_000_100
const state = (number: number) => [BigInt(number + 1), 1n] as const

/** A block a minute and then a head, long after; and pools whose states change in some of them. */
async function seed(
  { db }: Store,
  minutes: number,
  pools: Record<string, (number: number) => boolean>,
  { chainId = 7, finalBlock = minutes, headTime = start + 9 * day, secondsPerBlock = 60 } = {},
) {
  const numbers = Array.from({ length: minutes }, (_, number) => number)
  await seedChain(db, {
    chainId,
    blocks: {
      ...Object.fromEntries(numbers.map((number) => [number, start + number * secondsPerBlock])),
      [minutes]: headTime,
    },
    pools: Object.entries(pools).map(([address, changes]) => ({
      address,
      token0: testAddress(1),
      token1: testAddress(2),
      states: Object.fromEntries(numbers.filter(changes).map((number) => [number, state(number)])),
    })),
  })
  await db
    .updateTable('chains')
    .set({ final_block: finalBlock })
    .where('chain_id', '=', chainId)
    .execute()
}

async function statesOf({ db }: Store, pool: string, chainId = 7): Promise<number[]> {
  const rows = await db
    .selectFrom('pool_states')
    .select('block_number')
    .where('chain_id', '=', chainId)
    .where('pool', '=', fromHex(pool))
    .orderBy('block_number')
    .execute()
  return rows.map(({ block_number }) => block_number)
}

describeEachStore('downsamplePoolStates', (openTestStore) => {
  const always = () => true

  it('leaves each pool its last state of each bucket, and all states of the exact history', async () => {
    const store = await openTestStore()
    // The head stands 12 minutes and two days after the first block: two buckets are old, two minutes of the third too.
    const headTime = start + 2 * day + 12 * 60
    const pools = { [one]: always, [two]: (number: number) => number % 4 === 0 }
    await seed(store, 20, pools, { headTime })
    expect(await downsamplePoolStates(store.db, 7, history)).toBe(8 + 1)
    expect(await statesOf(store, one)).toEqual([4, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    expect(await statesOf(store, two)).toEqual([4, 8, 12, 16])
    expect(await downsamplePoolStates(store.db, 7, history)).toBe(0)
  })

  it('bounds a day of a pool to 288 states, its newest of each five minutes', async () => {
    const store = await openTestStore()
    await seed(store, 1440, { [one]: always })
    await downsamplePoolStates(store.db, 7, history)
    expect(await statesOf(store, one)).toEqual(
      Array.from({ length: 288 }, (_, index) => index * 5 + 4),
    )
  })

  it('keeps the newest state of a pool that nobody trades any more', async () => {
    const store = await openTestStore()
    await seed(store, 30, { [one]: (number) => number < 3, [two]: (number) => number === 0 })
    await downsamplePoolStates(store.db, 7, history)
    expect(await statesOf(store, one)).toEqual([2])
    expect(await statesOf(store, two)).toEqual([0])
  })

  it('touches no block that is not final, nor its bucket', async () => {
    const store = await openTestStore()
    await seed(store, 20, { [one]: always }, { finalBlock: 13 })
    expect(await downsamplePoolStates(store.db, 7, history)).toBe(8)
    expect((await statesOf(store, one)).slice(0, 6)).toEqual([4, 9, 10, 11, 12, 13])
    await seed(store, 20, { [two]: always }, { chainId: 8, finalBlock: -1 })
    expect(await downsamplePoolStates(store.db, 8, history)).toBe(0)
  })

  it('goes on where the block that counts as final is not indexed yet', async () => {
    const store = await openTestStore()
    await seed(store, 20, { [one]: always }, { finalBlock: 1000 })
    expect(await downsamplePoolStates(store.db, 7, history)).toBe(16)
    expect(await statesOf(store, one)).toEqual([4, 9, 14, 19])
  })

  it('ends the same in steps of any size, also when it goes on after an end', async () => {
    const store = await openTestStore()
    const pools = { [one]: always, [two]: (number: number) => number % 3 === 0 }
    await seed(store, 60, pools)
    await downsamplePoolStates(store.db, 7, history)
    const expected = [await statesOf(store, one), await statesOf(store, two)]
    expect(expected[0]).toHaveLength(12)
    for (const [chainId, statesPerStep] of [
      [8, 1],
      [9, 17],
    ] as const) {
      await seed(store, 60, pools, { chainId, finalBlock: 27 })
      await downsamplePoolStates(store.db, chainId, history, { statesPerStep })
      expect(await statesOf(store, one, chainId)).toHaveLength(5 + 35)
      await store.db.updateTable('chains').set({ final_block: 60 }).execute()
      await downsamplePoolStates(store.db, chainId, history, { statesPerStep })
      expect([await statesOf(store, one, chainId), await statesOf(store, two, chainId)]).toEqual(
        expected,
      )
    }
  })

  it('keeps the last state where a bucket holds more blocks than a step takes', async () => {
    const store = await openTestStore()
    await seed(store, 40, { [one]: always }, { secondsPerBlock: 0 })
    expect(await downsamplePoolStates(store.db, 7, history, { statesPerStep: 3 })).toBe(39)
    expect(await statesOf(store, one)).toEqual([39])
  })

  it('leaves the neighbour chain alone', async () => {
    const store = await openTestStore()
    await seed(store, 20, { [one]: always })
    await seed(store, 20, { [one]: always }, { chainId: 8 })
    await downsamplePoolStates(store.db, 7, history)
    expect(await statesOf(store, one, 8)).toHaveLength(20)
  })

  it('tells of an old moment a state of before, never of after, and at most a bucket old', async () => {
    const store = await openTestStore()
    await seed(store, 60, { [one]: always })
    await downsamplePoolStates(store.db, 7, history)
    const { rows } = await sql<{ oldest: number; newest: number }>`
      select min(number - block_number) as newest, max(number - block_number) as oldest from blocks
      cross join lateral (
        select block_number from pool_states
        where chain_id = 7 and block_number <= number order by block_number desc limit 1
      ) as state
      where blocks.chain_id = 7 and number between 4 and 59`.execute(store.db)
    expect(rows).toEqual([{ newest: 0, oldest: 4 }])
  })

  it('is what runs beside the indexer, until it is told to stop', async () => {
    const store = await openTestStore()
    await seed(store, 20, { [one]: always })
    const chain = testChainConfig(7, { priceHistory: history })
    const stopper = new AbortController()
    let running = Promise.resolve()
    await new Promise<void>((resolve) => {
      const logger = pino({ level: 'debug' }, { write: () => resolve() })
      running = keepPriceHistory({ store, chain, logger }, stopper.signal)
    })
    stopper.abort()
    await running
    expect(await statesOf(store, one)).toEqual([4, 9, 14, 19])
  })
})
