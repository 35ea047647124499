import { type Kysely, sql } from 'kysely'
import { getBalancedReserve } from '../../pricing/getBalancedReserve.ts'
import type { Pool, PoolType } from '../../pricing/Pool.ts'
import { bytesArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import type { ChangeSet, PoolState } from '../fold/ChangeSet.ts'
import { copyToTempTable, type Row, type WriteTarget } from './rows.ts'

/** The interval of a rank; the last one of a side has no end. */
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
 * Updates the ranks of pools after some of their states were written. A rank is the binary logarithm of a balanced reserve
 * (`getBalancedReserve`). Only a pool with one that is more than two to four times that of before has a new rank, so that most
 * blocks write none; the work is that of looking up the pools that changed, regardless of how many there are.
 *
 * @param states - of pools in the table `pools`, in the order of blocks for each pool.
 */
export async function rankPools(
  { transaction, chainId }: WriteTarget,
  states: readonly PoolState[],
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
  for (const state of states) {
    for (const { side, intervals: ofSide } of intervals.get(state.pool) ?? []) {
      addState(ofSide, getRank(state, side), state.block)
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
          ended.push([pool, side.key, rank, from, to])
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
  states: readonly PoolState[],
): Row[] {
  return tokens.flatMap((token, position) => {
    if (tokens.indexOf(token) < position) {
      return []
    }
    const other = 1 - position
    const side: Omit<RankedSide, 'rank'> = {
      key: token,
      index: position + 1,
      others: [other + 1],
      kind: type,
      pair: { otherToken: tokens[other] ?? token, firstBlock: block },
    }
    const intervals: Interval[] = []
    for (const state of states) {
      addState(intervals, getRank(state, side), state.block)
    }
    return intervals.map((interval) => toRow(address, side, interval))
  })
}

function toRow(
  pool: string,
  { key, index, kind, pair }: Omit<RankedSide, 'rank'>,
  { rank, from, to }: Interval,
): Row {
  const ofPair = pair ? [index, pair.otherToken, kind, pair.firstBlock] : [null, null, null, null]
  return [pool, key, rank, from, to, ...ofPair]
}

/** A token of a pool, or of a pair of a pool of more tokens. */
interface RankedSide {
  /** The token; of a pair of a pool of more tokens, both of its tokens. */
  readonly key: string
  /** Its position among the tokens of the pool, and those of the tokens that it is paired with: 1 for the first. */
  readonly index: number
  readonly others: readonly number[]
  readonly kind: PoolType
  readonly rank: number | null
  /** Of a pool of two tokens. */
  readonly pair: { readonly otherToken: string; readonly firstBlock: number } | null
}

/** The tokens of pools, and their pairs in pools of more than two, with the rank of their latest state; null for none. */
async function loadRanks(
  transaction: Kysely<Database>,
  chainId: number,
  states: readonly PoolState[],
  pools: 'pools' | 'backfill_pools',
): Promise<Map<string, RankedSide[]>> {
  const addresses = [...new Set(states.map(({ pool }) => pool))]
  const { rows } = await sql<RankedSide & { pool: string }>`
    with pair as materialized (
      -- A pool of several tokens has a row for each pair of them.
      select pool.address as pool, kind, first_block, side.*,
        count(*) over (partition by pool.address, side.index) as pairs
      from unnest(${bytesArray(addresses)}) as requested (address)
      join ${sql.table(pools)} as pool
        on pool.chain_id = ${chainId}::bigint and pool.address = requested.address
      cross join lateral (
        values (pool.index0, pool.token0, pool.index1, pool.token1),
          (pool.index1, pool.token1, pool.index0, pool.token0)
      ) as side (index, token, other_index, other)
      -- A factory may create a pool of a token with itself.
      where side.index = pool.index0 or pool.token0 <> pool.token1
    ),
    side as (
      select pool, kind, index, token as key, json_agg(other_index) as others,
        case when count(*) = 1 then json_build_object(
          'otherToken', '0x' || min(encode(other, 'hex')), 'firstBlock', min(first_block)
        ) end as pair
      from pair group by pool, kind, index, token
      union all
      select pool, kind, index, token || other, json_build_array(other_index), null
      from pair where pairs > 1
    )
    select '0x' || encode(side.pool, 'hex') as pool, '0x' || encode(key, 'hex') as key, index, others, kind,
      (
        select rank from pool_ranks
        where pool_ranks.chain_id = ${chainId}::bigint and pool_ranks.pool = side.pool
          and pool_ranks.token = key
        order by from_block desc limit 1
      ) as rank,
      pair
    from side
    order by side.pool, key`.execute(transaction)
  const found = new Map<string, RankedSide[]>()
  for (const { pool, ...side } of rows) {
    const sides = found.get(pool) ?? []
    sides.push(side)
    found.set(pool, sides)
  }
  return found
}

/** The rank of a side in a state; -1 for an empty one. */
function getRank(
  { pool, reserve0, reserve1, sqrtPrice, read }: PoolState,
  { kind, index, others }: Pick<RankedSide, 'kind' | 'index' | 'others'>,
): number {
  const balances = read?.balances ?? [reserve0, reserve1]
  if (!balances[index - 1]) {
    return -1
  }
  let highest = 1n
  for (const other of others) {
    const [first, second] = index < other ? [index, other] : [other, index]
    const price0 = read?.prices[first - 1]
    const price1 = read?.prices[second - 1]
    const pair: Pool = {
      kind,
      address: pool,
      token0: '',
      token1: '',
      reserve0: balances[first - 1] ?? 0n,
      reserve1: balances[second - 1] ?? 0n,
      ...(sqrtPrice !== null && { sqrtPrice }),
      ...(price0 !== undefined && { price0 }),
      ...(price1 !== undefined && { price1 }),
    }
    const reserve = getBalancedReserve(pair, index === first)
    highest = reserve > highest ? reserve : highest
  }
  return highest.toString(2).length - 1
}

/** Starts another interval if the rank has left that of the last one. */
function addState(intervals: Interval[], rank: number, block: number): void {
  const last = intervals.at(-1)
  const isSame =
    last && (last.rank === rank || (rank >= 0 && last.rank >= 0 && Math.abs(rank - last.rank) <= 1))
  if (isSame) {
    return
  }
  if (last) {
    last.to = block
  }
  intervals.push({ rank, from: block, to: null })
}
