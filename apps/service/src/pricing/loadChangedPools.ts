import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { selectPairState, type StateRow, toState } from './loadPools.ts'
import type { PoolState } from './Pool.ts'

/** A pair of a pool that some blocks changed. */
export interface ChangedPool {
  readonly address: string
  readonly token0: string
  readonly token1: string
  readonly state: PoolState
  /** Its ranks at the block, by the `token` of their rows; null if it has the same ones as before. */
  readonly ranks: Readonly<Record<string, number>> | null
}

type Row = readonly [
  ...[address: string, token0: string, token1: string, ranks: ChangedPool['ranks']],
  ...StateRow,
]

/** Loads the pools that the blocks above `since` changed, up to and including `block`, with their latest states. */
export async function loadChangedPools(
  db: Kysely<Database>,
  chainId: number,
  since: number,
  block: number,
): Promise<ChangedPool[]> {
  const { rows } = await sql<{ pools: string | null }>`
    select json_agg(json_build_array(
      '0x' || encode(address, 'hex'),
      '0x' || encode(token0, 'hex'), '0x' || encode(token1, 'hex'),
      case when exists (
        select from pool_ranks
        where pool_ranks.chain_id = ${chainId}::bigint and pool_ranks.pool = address
          and from_block > ${since}::bigint and from_block <= ${block}::bigint
      ) then (
        select json_object_agg('0x' || encode(token, 'hex'), rank) from pool_ranks
        where pool_ranks.chain_id = ${chainId}::bigint and pool_ranks.pool = address
          and from_block <= ${block}::bigint and (to_block is null or to_block > ${block}::bigint)
      ) end,
      reserve0::text, reserve1::text, sqrt_price::text, price0::text, price1::text
    ))::text as pools
    from (
      select pools.address, token0, token1, ${selectPairState(sql`pools`)}
      from (
        select distinct on (pool) * from pool_states
        where chain_id = ${chainId}::bigint
          and block_number > ${since}::bigint and block_number <= ${block}::bigint
        order by pool, block_number desc
      ) as changed
      join pools on pools.chain_id = ${chainId}::bigint and pools.address = changed.pool
    ) as pair`.execute(db)
  const pools = JSON.parse(rows[0]?.pools ?? '[]') as Row[]
  return pools.map(([address, token0, token1, ranks, ...state]) => ({
    address,
    token0,
    token1,
    ranks,
    state: toState(state),
  }))
}
