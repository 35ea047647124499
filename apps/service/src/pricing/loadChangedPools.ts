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
  /** Whether the candidates of its tokens may be others than before. */
  readonly isRanked: boolean
  /** Whether it is a pair of a pool of more than two tokens. */
  readonly hasSeveralTokens: boolean
}

type Row = readonly [
  ...[address: string, token0: string, token1: string, isRanked: boolean, pairs: number],
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
      exists (
        select from pool_ranks
        where pool_ranks.chain_id = ${chainId}::bigint and pool_ranks.pool = address
          and from_block > ${since}::bigint
      ),
      pairs, reserve0::text, reserve1::text, sqrt_price::text, price0::text, price1::text
    ))::text as pools
    from (
      select count(*) over (partition by pools.address) as pairs,
        pools.address, token0, token1, ${selectPairState(sql`pools`)}
      from (
        select distinct on (pool) * from pool_states
        where chain_id = ${chainId}::bigint
          and block_number > ${since}::bigint and block_number <= ${block}::bigint
        order by pool, block_number desc
      ) as changed
      join pools on pools.chain_id = ${chainId}::bigint and pools.address = changed.pool
    ) as pair`.execute(db)
  const pools = JSON.parse(rows[0]?.pools ?? '[]') as Row[]
  return pools.map(([address, token0, token1, isRanked, pairs, ...state]) => ({
    ...{ address, token0, token1, isRanked, hasSeveralTokens: pairs > 1 },
    state: toState(state),
  }))
}
