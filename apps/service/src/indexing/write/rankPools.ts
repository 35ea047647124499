import { type Kysely, sql } from 'kysely'
import type { PoolType } from '../../pricing/Pool.ts'
import { bytesArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import type { ChangeSet } from '../fold/ChangeSet.ts'
import { copyToTempTable, type Row, type WriteTarget } from './rows.ts'

/** The reserves of a pool after a block. */
export interface PoolReserves {
  readonly pool: string
  readonly block: number
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** Of a pool of any number of tokens. */
  readonly read?: { readonly balances: readonly bigint[] }
}

/** The interval of a rank; the last one of a token has no end. */
interface Interval {
  readonly rank: number
  readonly from: number
  to: number | null
}

const intervalColumns = {
  pool: 'bytea',
  token: 'bytea',
  rank: 'smallint',
  from_block: 'bigint',
  to_block: 'bigint',
} as const
export const rankColumns = {
  ...intervalColumns,
  index: 'smallint',
  other_token: 'bytea',
  kind: 'text',
  first_block: 'bigint',
} as const

/**
 * Updates the ranks of pools after some of their states were written. Only a pool with a reserve that is more than two to
 * four times that of before has a new rank, so that most blocks write none; the work is that of looking up the pools that
 * changed, regardless of how many there are.
 *
 * @param states - of pools in the table `pools`, in the order of blocks for each pool.
 */
export async function rankPools(
  { transaction, chainId }: Pick<WriteTarget, 'transaction' | 'chainId'>,
  states: readonly PoolReserves[],
  pools: 'pools' | 'backfill_pools' = 'pools',
): Promise<void> {
  if (states.length === 0) {
    return
  }
  const known = await loadRanks(transaction, chainId, states, pools)
  const intervals = new Map<string, { side: RankedSide; intervals: Interval[] }[]>()
  for (const [pool, sides] of known) {
    intervals.set(
      pool,
      sides.map((side) => ({
        side,
        intervals: side.rank === null ? [] : [{ rank: side.rank, from: -1, to: null }],
      })),
    )
  }
  for (const { pool, block, reserve0, reserve1, read } of states) {
    const balances = read?.balances ?? [reserve0, reserve1]
    for (const { side, intervals: ofSide } of intervals.get(pool) ?? []) {
      addState(ofSide, balances[side.index - 1] ?? 0n, block)
    }
  }

  const ended: Row[] = []
  const started: Row[] = []
  for (const [pool, sides] of intervals) {
    for (const { side, intervals: ofSide } of sides) {
      for (const interval of ofSide) {
        const { rank, from, to } = interval
        if (from >= 0) {
          started.push(toRow(pool, side, interval))
        } else if (to !== null) {
          ended.push([pool, side.token, rank, from, to])
        }
      }
    }
  }
  if (ended.length > 0) {
    const staged = await copyToTempTable(transaction, 'staged_ended_ranks', intervalColumns, ended)
    await sql`
      update pool_ranks set to_block = staged.to_block from (select * from ${staged}) staged
      where pool_ranks.chain_id = ${chainId}::bigint and pool_ranks.pool = staged.pool
        and pool_ranks.token = staged.token and pool_ranks.to_block is null`.execute(transaction)
  }
  if (started.length > 0) {
    const columns = sql.join(Object.keys(rankColumns).map((column) => sql.ref(column)))
    const staged = await copyToTempTable(transaction, 'staged_ranks', rankColumns, started)
    await sql`
      insert into pool_ranks (chain_id, ${columns})
      select ${chainId}::bigint, ${columns} from ${staged}`.execute(transaction)
  }
}

/** Undoes the ranks of blocks above `ancestor`, whose states are still stored. */
export async function undoPoolRanks(
  db: Kysely<Database>,
  chainId: number,
  ancestor: number,
): Promise<void> {
  await sql`
    with changed as materialized (
      select distinct pool from pool_states
      where chain_id = ${chainId}::bigint and block_number > ${ancestor}::bigint
    ),
    undone as (
      delete from pool_ranks using changed
      where chain_id = ${chainId}::bigint and pool_ranks.pool = changed.pool
        and from_block > ${ancestor}::bigint
    )
    update pool_ranks set to_block = null from changed
    where chain_id = ${chainId}::bigint and pool_ranks.pool = changed.pool
      and from_block <= ${ancestor}::bigint and to_block > ${ancestor}::bigint`.execute(db)
}

/**
 * The rows of `pool_ranks` of a pool of two tokens, from its first state on.
 *
 * @param states - in the order of blocks.
 */
export function toRankRows(
  { address, type, tokens, block }: ChangeSet['pools'][number],
  states: readonly PoolReserves[],
): Row[] {
  return tokens.flatMap((token, position) => {
    if (tokens.indexOf(token) < position) {
      return []
    }
    const intervals: Interval[] = []
    for (const { reserve0, reserve1, block: ofState } of states) {
      addState(intervals, position === 0 ? reserve0 : reserve1, ofState)
    }
    const pair = { otherToken: tokens[1 - position] ?? token, kind: type, firstBlock: block }
    return intervals.map((interval) =>
      toRow(address, { token, index: position + 1, pair }, interval),
    )
  })
}

function toRow(
  pool: string,
  { token, index, pair }: Omit<RankedSide, 'rank'>,
  { rank, from, to }: Interval,
): Row {
  const ofPair = pair
    ? [index, pair.otherToken, pair.kind, pair.firstBlock]
    : [null, null, null, null]
  return [pool, token, rank, from, to, ...ofPair]
}

/** A token of a pool. */
interface RankedSide {
  readonly token: string
  /** Its position among the tokens of the pool: 1 for the first. */
  readonly index: number
  readonly rank: number | null
  /** Of a pool of two tokens. */
  readonly pair: {
    readonly otherToken: string
    readonly kind: PoolType
    readonly firstBlock: number
  } | null
}

/** The tokens of pools, with the rank of their latest state; null for none. */
async function loadRanks(
  transaction: Kysely<Database>,
  chainId: number,
  states: readonly PoolReserves[],
  pools: 'pools' | 'backfill_pools',
): Promise<Map<string, RankedSide[]>> {
  const addresses = [...new Set(states.map(({ pool }) => pool))]
  const { rows } = await sql<RankedSide & { pool: string }>`
    select '0x' || encode(side.pool, 'hex') as pool, '0x' || encode(side.token, 'hex') as token, index,
      (
        select rank from pool_ranks
        where pool_ranks.chain_id = ${chainId}::bigint and pool_ranks.pool = side.pool
          and pool_ranks.token = side.token
        order by from_block desc limit 1
      ) as rank,
      case when array_length(others, 1) = 1 then json_build_object(
        'otherToken', '0x' || encode(others[1], 'hex'), 'kind', kind, 'firstBlock', first_block
      ) end as pair
    from (
      -- A pool of several tokens has a row for each pair of them.
      select pool.address as pool, side.token, side.index, kind, first_block,
        array_agg(side.other) as others
      from unnest(${bytesArray(addresses)}) as requested (address)
      join ${sql.table(pools)} as pool
        on pool.chain_id = ${chainId}::bigint and pool.address = requested.address
      cross join lateral (
        values (pool.index0, pool.token0, pool.token1), (pool.index1, pool.token1, pool.token0)
      ) as side (index, token, other)
      -- A factory may create a pool of a token with itself.
      where side.index = pool.index0 or pool.token0 <> pool.token1
      group by pool.address, side.token, side.index, kind, first_block
    ) as side
    order by side.pool, index`.execute(transaction)
  const found = new Map<string, RankedSide[]>()
  for (const { pool, ...side } of rows) {
    const sides = found.get(pool) ?? []
    sides.push(side)
    found.set(pool, sides)
  }
  return found
}

/** Starts another interval if the reserve has left that of the last one. */
function addState(intervals: Interval[] | undefined, reserve: bigint, block: number): void {
  const last = intervals?.at(-1)
  const rank = reserve === 0n ? -1 : reserve.toString(2).length - 1
  const isSame =
    last && (last.rank === rank || (rank >= 0 && last.rank >= 0 && Math.abs(rank - last.rank) <= 1))
  if (isSame) {
    return
  }
  if (last) {
    last.to = block
  }
  intervals?.push({ rank, from: block, to: null })
}
