import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, expect, it } from 'vitest'
import { seededRandom } from '@headwater/devnet'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { downsamplePoolStates } from './downsamplePoolStates.ts'
import { keepPriceHistory } from './keepPriceHistory.ts'

const day = 86_400
const history = { exactDays: 2, bucketMinutes: 5 }
const one = testAddress(0x101)
const two = testAddress(0x102)
/** The start of a bucket. */
const start = 1_700_000_100
const state = (number: number) => [BigInt(number + 1), 1n] as const

/** Seeds a block per minute and a much later head, and pools whose states change in some of the blocks. */
async function seed(
  db: Kysely<Database>,
  chainId: number,
  minutes: number,
  pools: Record<string, (number: number) => boolean>,
  { finalizedBlock = minutes, headTime = start + 9 * day, secondsPerBlock = 60 } = {},
  toState: (number: number) => readonly [bigint, bigint] = state,
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
      states: Object.fromEntries(
        numbers.filter(changes).map((number) => [number, toState(number)]),
      ),
    })),
  })
  await db
    .updateTable('chains')
    .set({ final_block: finalizedBlock, undo_block: finalizedBlock })
    .where('chain_id', '=', chainId)
    .execute()
}

async function readStates(db: Kysely<Database>, chainId: number, pool: string): Promise<number[]> {
  const rows = await db
    .selectFrom('pool_states')
    .select('block_number')
    .where('chain_id', '=', chainId)
    .where('pool', '=', fromHex(pool))
    .orderBy('block_number')
    .execute()
  return rows.map(({ block_number }) => block_number)
}

// Each test uses its own chains.
describeEachStore('downsamplePoolStates', (openTestStore) => {
  const always = () => true
  let store: Store
  let db: Store['db']
  beforeAll(async () => {
    store = await openTestStore()
    db = store.db
  })

  it('keeps the last state of each pool and bucket, and all states of the exact history', async () => {
    // The head is two days and 12 minutes after the first block, which is two buckets and a part of the third.
    const headTime = start + 2 * day + 12 * 60
    const pools = { [one]: always, [two]: (number: number) => number % 4 === 0 }
    await seed(db, 1, 20, pools, { headTime })
    await seed(db, 2, 20, pools, { headTime })
    expect(await downsamplePoolStates(db, 1, history)).toBe(8 + 1)
    expect(await readStates(db, 1, one)).toEqual([4, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    expect(await readStates(db, 1, two)).toEqual([4, 8, 12, 16])
    expect(await downsamplePoolStates(db, 1, history)).toBe(0)
    // Other chains are not affected.
    expect(await readStates(db, 2, one)).toHaveLength(20)
  })

  it('keeps the latest state of a pool without recent trades', async () => {
    await seed(db, 3, 30, { [one]: (number) => number < 3, [two]: (number) => number === 0 })
    await downsamplePoolStates(db, 3, history)
    expect(await readStates(db, 3, one)).toEqual([2])
    expect(await readStates(db, 3, two)).toEqual([0])
  })

  it('keeps all states of buckets that contain unfinalized blocks', async () => {
    await seed(db, 4, 20, { [one]: always }, { finalizedBlock: 13 })
    expect(await downsamplePoolStates(db, 4, history)).toBe(8)
    expect((await readStates(db, 4, one)).slice(0, 6)).toEqual([4, 9, 10, 11, 12, 13])
    await seed(db, 5, 20, { [two]: always }, { finalizedBlock: -1 })
    expect(await downsamplePoolStates(db, 5, history)).toBe(0)
  })

  it('supports a final block that is not indexed yet', async () => {
    await seed(db, 6, 20, { [one]: always }, { finalizedBlock: 1000 })
    expect(await downsamplePoolStates(db, 6, history)).toBe(16)
    expect(await readStates(db, 6, one)).toEqual([4, 9, 14, 19])
  })

  it('has the same result with steps of any size, also when it continues later', async () => {
    const pools = { [one]: always, [two]: (number: number) => number % 3 === 0 }
    await seed(db, 7, 60, pools)
    await downsamplePoolStates(db, 7, history)
    const expected = [await readStates(db, 7, one), await readStates(db, 7, two)]
    expect(expected[0]).toHaveLength(12)
    for (const [chainId, statesPerStep] of [
      [8, 1],
      [9, 17],
    ] as const) {
      await seed(db, chainId, 60, pools, { finalizedBlock: 27 })
      await downsamplePoolStates(db, chainId, history, { statesPerStep })
      expect(await readStates(db, chainId, one)).toHaveLength(5 + 35)
      await db
        .updateTable('chains')
        .set({ final_block: 60, undo_block: 60 })
        .where('chain_id', '=', chainId)
        .execute()
      await downsamplePoolStates(db, chainId, history, { statesPerStep })
      expect([await readStates(db, chainId, one), await readStates(db, chainId, two)]).toEqual(
        expected,
      )
    }
    // The state at a block is that of the block or of at most a bucket before.
    const { rows } = await sql<{ oldest: number; newest: number }>`
      select min(number - block_number) as newest, max(number - block_number) as oldest from blocks
      cross join lateral (
        select block_number from pool_states
        where chain_id = 7 and pool = ${fromHex(one)} and block_number <= number
        order by block_number desc limit 1
      ) as state
      where blocks.chain_id = 7 and number between 4 and 59`.execute(db)
    expect(rows).toEqual([{ newest: 0, oldest: 4 }])
  })

  it('keeps the last state where a bucket has more states than a step', async () => {
    await seed(db, 10, 40, { [one]: always }, { secondsPerBlock: 0 })
    expect(await downsamplePoolStates(db, 10, history, { statesPerStep: 3 })).toBe(39)
    expect(await readStates(db, 10, one)).toEqual([39])
  })

  it('keeps the lowest reserves of what it deletes, and a rank for each state that remains', async () => {
    const random = seededRandom('lows')
    const reserves = Array.from({ length: 60 }, () => 2n ** BigInt(random.integer(4, 40)))
    await seed(db, 12, 60, { [one]: always }, {}, (number) => [reserves[number] ?? 0n, 1n])
    const readRanks = async () => {
      const { rows } = await sql<{ block: number; rank: number; ranks: number }>`
        select number::int as block, max(rank)::int as rank, count(*)::int as ranks from blocks
        join pool_ranks on pool_ranks.chain_id = 12 and token = ${fromHex(testAddress(1))}
          and from_block <= number and (to_block is null or to_block > number)
        where blocks.chain_id = 12 and number % 5 = 4 group by number order by number`.execute(db)
      return rows
    }
    const countRanks = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pool_ranks
        where chain_id = 12 and token = ${fromHex(testAddress(1))}`.execute(db)
      return rows[0]?.count ?? 0
    }
    const before = await readRanks()
    const count = await countRanks()
    await downsamplePoolStates(db, 12, history, { statesPerStep: 12 })
    const { rows } = await sql<{ block: number; low: string }>`
      select block_number::int as block, lows[1]::text as low from pool_states
      where chain_id = 12 order by block_number`.execute(db)
    expect(rows).toEqual(
      before.map(({ block }) => ({
        block,
        low: String(
          reserves.slice(block - 4, block).reduce((low, each) => (each < low ? each : low)),
        ),
      })),
    )
    expect(await readRanks()).toEqual(before)
    expect(before.map(({ ranks }) => ranks)).toEqual(before.map(() => 1))
    expect(count).toBeGreaterThan(30)
    expect(await countRanks()).toBeLessThanOrEqual(rows.length)
    // Without a gap.
    const gaps = await sql`
      select from pool_ranks ended where chain_id = 12 and to_block is not null and not exists (
        select from pool_ranks next where next.chain_id = 12 and next.token = ended.token
          and next.from_block = ended.to_block
      )`.execute(db)
    expect(gaps.rows).toEqual([])
  })

  it('runs periodically until the signal aborts', async () => {
    await seed(db, 11, 20, { [one]: always })
    const chain = testChainConfig(11, { priceHistory: history })
    const stopper = new AbortController()
    let running = Promise.resolve()
    await new Promise<void>((resolve) => {
      const logger = pino({ level: 'debug' }, { write: () => resolve() })
      running = keepPriceHistory({ store, chain, logger }, stopper.signal)
    })
    stopper.abort()
    await running
    expect(await readStates(db, 11, one)).toEqual([4, 9, 14, 19])
  })
})
