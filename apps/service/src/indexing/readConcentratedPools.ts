import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import { type ConcentratedPool, rangeKey } from './PoolBook.ts'

/**
 * Reads how V3 pools stand: their newest price and where their liquidity is.
 *
 * @param lastBlock to read them as they were at this block, which must not be below finality.
 */
export async function readConcentratedPools(
  db: Kysely<Database>,
  chainId: number,
  addresses: readonly string[],
  lastBlock = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, ConcentratedPool>> {
  const wanted = sql`any(${bytesArray(addresses)})`
  const states = await sql<{
    pool: Uint8Array
    sqrt_price: string | null
    reserve0: string | null
    reserve1: string | null
  }>`
    select wanted.pool, state.* from unnest(${bytesArray(addresses)}) as wanted (pool)
    left join lateral (
      select sqrt_price, reserve0, reserve1 from pool_states
      where chain_id = ${chainId}::bigint and pool_states.pool = wanted.pool
        and block_number <= ${lastBlock}::bigint
      order by block_number desc limit 1
    ) state on true`.execute(db)
  // Of a position that later blocks changed, the oldest image is as it was before them.
  const positions = await sql<{
    pool: Uint8Array
    tick_lower: number
    tick_upper: number
    liquidity: string
  }>`
    with version as (
      select pool, tick_lower, tick_upper, liquidity, block_number from undo_pool_positions
      where chain_id = ${chainId}::bigint and pool = ${wanted}
        and block_number > ${lastBlock}::bigint
      union all
      select pool, tick_lower, tick_upper, liquidity, null from pool_positions
      where chain_id = ${chainId}::bigint and pool = ${wanted}
    ),
    oldest as (
      select distinct on (pool, tick_lower, tick_upper) * from version
      order by pool, tick_lower, tick_upper, block_number nulls last
    )
    select pool, tick_lower, tick_upper, liquidity from oldest where liquidity <> 0`.execute(db)

  const pools = new Map<string, ConcentratedPool>(
    states.rows.map(({ pool, sqrt_price, reserve0, reserve1 }) => {
      const state = {
        sqrtPrice: BigInt(sqrt_price ?? 0),
        reserve0: BigInt(reserve0 ?? 0),
        reserve1: BigInt(reserve1 ?? 0),
      }
      const { sqrtPrice } = state
      return [toHex(pool), { sqrtPrice, positions: new Map(), ...(sqrtPrice > 0n && { state }) }]
    }),
  )
  for (const row of positions.rows) {
    const position = {
      ...{ tickLower: row.tick_lower, tickUpper: row.tick_upper },
      liquidity: BigInt(row.liquidity),
    }
    pools.get(toHex(row.pool))?.positions.set(rangeKey(position), position)
  }
  return pools
}
