import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'

const SECONDS_PER_DAY = 86_400
const SECONDS_PER_MINUTE = 60
/** States looked at in one transaction: few enough that nothing else waits noticeably. */
const STATES_PER_STEP = 5_000

/** Blocks after the first one up to the last one. */
interface Slice {
  readonly after: number
  readonly to: number
}

/**
 * Thins the states of a chain's pools that are older than the exact history: of each bucket of time (some minutes,
 * counted from 1970) each pool keeps its last state. So a day of a pool is a bounded number of rows, the price of an old
 * moment is that of at most a bucket before, never of after, and every pool keeps its newest state.
 *
 * Only final blocks are touched, by whole buckets, each once: where it stopped is kept in the store, so that it goes
 * on there after a restart, and reads no row twice. Time counts from the head's own. Processes that do so at once take turns.
 *
 * @returns how many states were removed.
 */
export async function downsamplePoolStates(
  db: Kysely<Database>,
  chainId: number,
  { exactDays, bucketMinutes }: ChainConfig['priceHistory'],
  {
    signal,
    statesPerStep = STATES_PER_STEP,
  }: { signal?: AbortSignal; statesPerStep?: number } = {},
): Promise<number> {
  const bucket = bucketMinutes * SECONDS_PER_MINUTE
  let removed = 0
  for (;;) {
    if (signal?.aborted) {
      return removed
    }
    const step = await db.transaction().execute(async (transaction) => {
      const last = await findLastBlock(transaction, chainId, exactDays * SECONDS_PER_DAY, bucket)
      if (last === undefined) {
        return undefined
      }
      const after = await lockCursor(transaction, chainId)
      if (after >= last) {
        return undefined
      }
      const to = await findEnd(transaction, chainId, { after, to: last }, bucket, statesPerStep)
      const removed = await removeAllButLast(transaction, chainId, { after, to }, bucket)
      await transaction
        .updateTable('price_histories')
        .set({ thinned_block: to })
        .where('chain_id', '=', chainId)
        .execute()
      return removed
    })
    if (step === undefined) {
      return removed
    }
    removed += step
  }
}

/** The last block of the last bucket that is final and older than the exact history. */
async function findLastBlock(
  db: Kysely<Database>,
  chainId: number,
  exactSeconds: number,
  bucket: number,
): Promise<number | undefined> {
  const chain = await db
    .selectFrom('chains')
    .innerJoin('blocks', (join) =>
      join
        .onRef('blocks.chain_id', '=', 'chains.chain_id')
        // What is final may not be indexed yet.
        .onRef('blocks.number', '<=', 'chains.final_block'),
    )
    .select(['chains.indexed_time', 'blocks.time as final_time'])
    .where('chains.chain_id', '=', chainId)
    .orderBy('blocks.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!chain || chain.indexed_time === null) {
    return undefined
  }
  const end = Math.min(chain.indexed_time - exactSeconds, chain.final_time)
  return await findLastBefore(db, chainId, end - (end % bucket))
}

async function findLastBefore(
  db: Kysely<Database>,
  chainId: number,
  time: number,
): Promise<number | undefined> {
  const block = await db
    .selectFrom('blocks')
    .select('number')
    .where('chain_id', '=', chainId)
    .where('time', '<', time)
    .orderBy('time', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return block?.number
}

/** Reads up to which block all is thinned, and lets nobody else go on from there meanwhile. */
async function lockCursor(db: Kysely<Database>, chainId: number): Promise<number> {
  await db
    .insertInto('price_histories')
    .values({ chain_id: chainId, thinned_block: -1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { thinned_block } = await db
    .selectFrom('price_histories')
    .select('thinned_block')
    .where('chain_id', '=', chainId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return thinned_block
}

/** Where a step ends: with the bucket before the one that holds one state too many, but with at least one bucket. */
async function findEnd(
  db: Kysely<Database>,
  chainId: number,
  { after, to }: Slice,
  bucket: number,
  statesPerStep: number,
): Promise<number> {
  const excess = await db
    .selectFrom('pool_states')
    .innerJoin('blocks', (join) =>
      join
        .onRef('blocks.chain_id', '=', 'pool_states.chain_id')
        .onRef('blocks.number', '=', 'pool_states.block_number'),
    )
    .select('blocks.time')
    .where('pool_states.chain_id', '=', chainId)
    .where('block_number', '>', after)
    .where('block_number', '<=', to)
    .orderBy('block_number')
    .offset(statesPerStep)
    .limit(1)
    .executeTakeFirst()
  if (!excess) {
    return to
  }
  const start = excess.time - (excess.time % bucket)
  const before = await findLastBefore(db, chainId, start)
  if (before !== undefined && before > after) {
    return before
  }
  return (await findLastBefore(db, chainId, start + bucket)) ?? to
}

async function removeAllButLast(
  db: Kysely<Database>,
  chainId: number,
  { after, to }: Slice,
  bucket: number,
): Promise<number> {
  // By place in the table: nobody moves the states of final blocks, and no planner can join them wrongly.
  const { numAffectedRows } = await sql`
    delete from pool_states where ctid = any(array(
      select place from (
        select pool_states.ctid as place, lead(1) over (
          partition by pool, blocks.time / ${bucket}::bigint order by block_number
        ) as later
        from pool_states
        join blocks on blocks.chain_id = pool_states.chain_id and number = block_number
        where pool_states.chain_id = ${chainId}::bigint
          and block_number > ${after}::bigint and block_number <= ${to}::bigint
      ) as state
      where later is not null
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
