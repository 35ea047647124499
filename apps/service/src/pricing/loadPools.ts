import { type Kysely, sql } from 'kysely'
import { bytesArray, integerArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import type { Pool } from './Pool.ts'
import type { PricingPoint } from './PricingPoint.ts'

/** A pool at one of the requested points. */
export interface PoolAtPoint extends Pool {
  readonly chainId: number
  readonly index: number
}

/** Tokens of one chain, by address. */
export interface ChainTokens {
  readonly chainId: number
  readonly tokens: Iterable<string>
}

type PoolRow = readonly [
  chainId: number,
  index: number,
  kind: Pool['kind'],
  address: string,
  token0: string,
  token1: string,
  reserve0: string,
  reserve1: string,
  sqrtPrice: string | null,
]

/**
 * Loads the pools of a requested token and a quote token, and those of two quote tokens, with their latest state at or
 * before the block of each point. Pools that did not exist then, or have an empty reserve, are omitted.
 *
 * Each token is looked up with each quote token, so that pools with other tokens, which anyone can create in any number,
 * are not read. `offset 0` forces this plan: without statistics, as in the embedded database, the planner would join every
 * pool with every token. The result is one text, because the embedded database returns rows at less than half the speed.
 *
 * @param requested - without quote tokens.
 */
export async function loadPools(
  db: Kysely<Database>,
  requested: readonly ChainTokens[],
  quoteTokens: readonly ChainTokens[],
  points: readonly PricingPoint[],
): Promise<PoolAtPoint[]> {
  const { rows } = await sql<{ pools: string | null }>`
    with requested as materialized (${unnestTokens(requested)}),
    quote_token as materialized (${unnestTokens(quoteTokens)}),
    quote_tokens as materialized (
      select chain_id, array_agg(token) as tokens from quote_token group by chain_id
    ),
    point as materialized (
      select * from unnest(
        ${integerArray(points.map(({ chainId }) => chainId))},
        ${integerArray(points.map(({ index }) => index))},
        ${integerArray(points.map(({ block }) => block))}
      ) as point (chain_id, index, block)
    ),
    found as materialized (
      select pool.* from (select * from requested union all select * from quote_token) as side
        join quote_tokens on quote_tokens.chain_id = side.chain_id
        cross join lateral (
          select * from pools
          where chain_id = side.chain_id and token0 = side.token and token1 = any(quote_tokens.tokens)
          offset 0
        ) as pool
      union all
      select pool.* from requested as side
        join quote_tokens on quote_tokens.chain_id = side.chain_id
        cross join lateral (
          select * from pools
          where chain_id = side.chain_id and token1 = side.token and token0 = any(quote_tokens.tokens)
          offset 0
        ) as pool
    )
    select json_agg(json_build_array(
      found.chain_id, point.index, found.kind, '0x' || encode(found.address, 'hex'),
      '0x' || encode(found.token0, 'hex'), '0x' || encode(found.token1, 'hex'),
      state.reserve0::text, state.reserve1::text, state.sqrt_price::text
    ))::text as pools
    from found
    join point on point.chain_id = found.chain_id
    cross join lateral (
      select reserve0, reserve1, sqrt_price from pool_states
      where pool_states.chain_id = found.chain_id
        and pool_states.pool = found.address
        and pool_states.block_number <= point.block
      order by pool_states.block_number desc
      limit 1
    ) as state
    where state.reserve0 > 0 and state.reserve1 > 0`.execute(db)
  const pools = JSON.parse(rows[0]?.pools ?? '[]') as PoolRow[]
  return pools.map(
    ([chainId, index, kind, address, token0, token1, reserve0, reserve1, sqrtPrice]) => ({
      ...{ chainId, index, kind, address, token0, token1 },
      reserve0: BigInt(reserve0),
      reserve1: BigInt(reserve1),
      ...(sqrtPrice !== null && { sqrtPrice: BigInt(sqrtPrice) }),
    }),
  )
}

function unnestTokens(chains: readonly ChainTokens[]) {
  const rows = chains.flatMap(({ chainId, tokens }) =>
    [...tokens].map((token) => ({ chainId, token })),
  )
  return sql`
    select * from unnest(
      ${integerArray(rows.map(({ chainId }) => chainId))},
      ${bytesArray(rows.map(({ token }) => token))}
    ) as row (chain_id, token)`
}
