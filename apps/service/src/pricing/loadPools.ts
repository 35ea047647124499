import { type Kysely, sql } from 'kysely'
import { bytesToHex, hexToBytes } from 'viem'
import type { Database } from '../store/Database.ts'
import type { Pool } from './Pool.ts'
import type { PricingPoint } from './PricingPoint.ts'

/** A pool as it stood at one of the points asked for. */
export interface PoolAtPoint extends Pool {
  readonly chainId: number
  readonly index: number
}

/** Tokens of one chain, by address. */
export interface ChainTokens {
  readonly chainId: number
  readonly tokens: Iterable<string>
}

interface PoolRow {
  chain_id: number
  address: Uint8Array
  token0: Uint8Array
  token1: Uint8Array
  index: number
  reserve0: string
  reserve1: string
}

/**
 * Loads the pools between a wanted token and a hub and those between two hubs, as they stood at each point: with the
 * newest reserves at or before its block. A pool that was not made yet is not among them.
 *
 * `offset 0` holds the planner to looking pools up token by token: where it has no statistics, as in the embedded
 * database, it would join every pool with every token.
 */
export async function loadPools(
  db: Kysely<Database>,
  wanted: readonly ChainTokens[],
  hubs: readonly ChainTokens[],
  points: readonly PricingPoint[],
): Promise<PoolAtPoint[]> {
  const { rows } = await sql<PoolRow>`
    with wanted as materialized (${unnested(wanted)}),
    hub as materialized (${unnested(hubs)}),
    point as materialized (
      select * from unnest(
        ${points.map(({ chainId }) => chainId)}::bigint[],
        ${points.map(({ index }) => index)}::int[],
        ${points.map(({ block }) => block)}::bigint[]
      ) as point (chain_id, index, block)
    ),
    found as (
      select pool.* from wanted
        cross join lateral (
          select * from pools where chain_id = wanted.chain_id and token0 = wanted.token offset 0
        ) as pool
        join hub on hub.chain_id = pool.chain_id and hub.token = pool.token1
      union
      select pool.* from wanted
        cross join lateral (
          select * from pools where chain_id = wanted.chain_id and token1 = wanted.token offset 0
        ) as pool
        join hub on hub.chain_id = pool.chain_id and hub.token = pool.token0
      union
      select pool.* from hub
        join hub as other on other.chain_id = hub.chain_id
        cross join lateral (
          select * from pools
          where chain_id = hub.chain_id and token0 = hub.token and token1 = other.token offset 0
        ) as pool
    )
    select found.chain_id, found.address, found.token0, found.token1, point.index,
      state.reserve0, state.reserve1
    from found
    join point on point.chain_id = found.chain_id
    cross join lateral (
      select reserve0, reserve1 from pool_states
      where pool_states.chain_id = found.chain_id
        and pool_states.pool = found.address
        and pool_states.block_number <= point.block
      order by pool_states.block_number desc
      limit 1
    ) as state`.execute(db)
  return rows.map((row) => ({
    chainId: row.chain_id,
    index: row.index,
    address: bytesToHex(row.address),
    token0: bytesToHex(row.token0),
    token1: bytesToHex(row.token1),
    reserve0: BigInt(row.reserve0),
    reserve1: BigInt(row.reserve1),
  }))
}

function unnested(chains: readonly ChainTokens[]) {
  const rows = chains.flatMap(({ chainId, tokens }) =>
    [...tokens].map((token) => ({ chainId, token: hexToBytes(token as `0x${string}`) })),
  )
  return sql`
    select * from unnest(
      ${rows.map(({ chainId }) => chainId)}::bigint[],
      ${rows.map(({ token }) => token)}::bytea[]
    ) as row (chain_id, token)`
}
