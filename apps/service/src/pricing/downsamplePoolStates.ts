import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import { bytesArray } from '../store/arrays.ts'
import type { BlockRange } from '../store/BlockRange.ts'
import type { Database } from '../store/Database.ts'
import { secondsPerDay, secondsPerMinute } from '../time.ts'

/** States per transaction: few enough not to block other statements noticeably. */
const defaultStatesPerStep = 5_000

/**
 * Downsamples the states of a chain's pools that are older than the exact history: each pool keeps its last state in each
 * bucket of time (aligned to the unix epoch). This bounds the number of rows per day and pool; an old price is at most one
 * bucket too old, and never from the future; and every pool keeps its latest state. The lowest reserves of deleted states stay
 * with the next one, as the liquidity of a window is the lower of its states. Ranks without a state are deleted as well.
 *
 * Only whole buckets of blocks that can no longer be undone are processed, each once: the position is stored, so that no
 * row is read twice, also after a restart. The age is relative to the time of the head. Concurrent processes are
 * serialized.
 *
 * @returns how many states were deleted.
 */
export async function downsamplePoolStates(
  db: Kysely<Database>,
  chainId: number,
  { exactDays, bucketMinutes }: ChainConfig['priceHistory'],
  {
    signal,
    statesPerStep = defaultStatesPerStep,
  }: { signal?: AbortSignal; statesPerStep?: number } = {},
): Promise<number> {
  const bucket = bucketMinutes * secondsPerMinute
  let deleted = 0
  for (;;) {
    if (signal?.aborted) {
      return deleted
    }
    const step = await db.transaction().execute(async (transaction) => {
      const last = await findLastBlock(transaction, chainId, exactDays * secondsPerDay, bucket)
      if (last === undefined) {
        return undefined
      }
      const after = await lockCursor(transaction, chainId)
      if (after >= last) {
        return undefined
      }
      const upTo = await findEnd(transaction, chainId, { after, upTo: last }, bucket, statesPerStep)
      const deleted = await deleteAllButLast(transaction, chainId, { after, upTo }, bucket)
      await transaction
        .updateTable('price_histories')
        .set({ thinned_block: upTo })
        .where('chain_id', '=', chainId)
        .execute()
      return deleted
    })
    if (step === undefined) {
      return deleted
    }
    deleted += step
  }
}

/** The last block of the last bucket that cannot be undone and older than the exact history. */
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
        // That block may not be indexed yet.
        .onRef('blocks.number', '<=', 'chains.undo_block'),
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

/** Reads the block up to which states are downsampled, and locks the row for this transaction. */
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

/** The last block of a step: the end of the last bucket that the limit of states admits, and of at least one bucket. */
async function findEnd(
  db: Kysely<Database>,
  chainId: number,
  { after, upTo }: BlockRange,
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
    .where('block_number', '<=', upTo)
    .orderBy('block_number')
    .offset(statesPerStep)
    .limit(1)
    .executeTakeFirst()
  if (!excess) {
    return upTo
  }
  const start = excess.time - (excess.time % bucket)
  const before = await findLastBefore(db, chainId, start)
  if (before !== undefined && before > after) {
    return before
  }
  return (await findLastBefore(db, chainId, start + bucket)) ?? upTo
}

async function deleteAllButLast(
  db: Kysely<Database>,
  chainId: number,
  { after, upTo }: BlockRange,
  bucket: number,
): Promise<number> {
  const states = sql`
    select pool_states.ctid as row_id, pool, blocks.time / ${bucket}::bigint as bucket, lows,
      coalesce(balances, array[reserve0, reserve1]) as held,
      lead(1) over (
        partition by pool, blocks.time / ${bucket}::bigint order by block_number
      ) as later
    from pool_states
    join blocks on blocks.chain_id = pool_states.chain_id and number = block_number
    where pool_states.chain_id = ${chainId}::bigint
      and block_number > ${after}::bigint and block_number <= ${upTo}::bigint`
  await sql`
    with state as materialized (${states}),
    lowest as materialized (
      select pool, bucket, array_agg(low order by position) as lows from (
        select pool, bucket, position, min(low) as low from state
        cross join lateral (
          select * from unnest(held) with ordinality as held (low, position) where later is not null
          union all
          select * from unnest(lows) with ordinality as lows (low, position)
        ) as each
        group by pool, bucket, position
      ) as positions
      group by pool, bucket
    )
    update pool_states set lows = lowest.lows
    from state join lowest using (pool, bucket)
    where pool_states.chain_id = ${chainId}::bigint and pool_states.ctid = state.row_id
      and state.later is null and pool_states.lows is distinct from lowest.lows`.execute(db)
  // By `ctid`, which is constant within a statement, and rules out a slow join. It is unique within the partition of the chain.
  const { rows } = await sql<{ pool: string; count: number }>`
    with deleted as (
      delete from pool_states where chain_id = ${chainId}::bigint and ctid = any(array(
        select row_id from (${states}) as state where later is not null
      ))
      returning pool
    )
    select '0x' || encode(pool, 'hex') as pool, count(*)::int as count
    from deleted group by deleted.pool`.execute(db)
  const pools = rows.map(({ pool }) => pool)
  await deleteRanks(db, chainId, pools, { after, upTo })
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** Deletes the ended ranks of pools that have no state any more. The rank before each of them counts up to the next one. */
async function deleteRanks(
  db: Kysely<Database>,
  chainId: number,
  pools: readonly string[],
  { after, upTo }: BlockRange,
): Promise<void> {
  await sql`
    with ended as materialized (
      select pool, token, from_block from pool_ranks
      where chain_id = ${chainId}::bigint and pool = any(${bytesArray(pools)})
        and to_block > ${after}::bigint and to_block <= ${upTo}::bigint
        and not exists (
          select from pool_states
          where pool_states.chain_id = ${chainId}::bigint and pool_states.pool = pool_ranks.pool
            and block_number >= from_block and block_number < to_block
        )
    ),
    deleted as (
      delete from pool_ranks using ended
      where chain_id = ${chainId}::bigint and pool_ranks.pool = ended.pool
        and pool_ranks.token = ended.token and pool_ranks.from_block = ended.from_block
    )
    update pool_ranks set to_block = (
      select min(later.from_block) from pool_ranks later
      where later.chain_id = ${chainId}::bigint and later.pool = pool_ranks.pool
        and later.token = pool_ranks.token and later.from_block > pool_ranks.from_block
        and (later.pool, later.token, later.from_block) not in (select * from ended)
    )
    from ended
    where chain_id = ${chainId}::bigint and pool_ranks.pool = ended.pool
      and pool_ranks.token = ended.token and pool_ranks.to_block = ended.from_block
      and (pool_ranks.pool, pool_ranks.token, pool_ranks.from_block) not in (select * from ended)`.execute(
    db,
  )
}
