import { type Kysely, type RawBuilder, sql } from 'kysely'
import { bytesArray, integerArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { prepared } from '../store/prepared.ts'
import { getOtherToken, type Pool, type PoolState, type PoolType } from './Pool.ts'
import type { PoolHistory } from './PoolHistory.ts'
import type { PricingPoint } from './PricingPoint.ts'
import { isPool, maxPools, selectFirstPools } from './selectFirstPools.ts'

/** A token whose pools are loaded, and the point. */
export interface PoolRequest {
  readonly point: PricingPoint
  readonly token: string
  readonly quoteTokens: ReadonlySet<string>
}

/** The pools of a token, the deepest first, and the requests of that token that they are for. */
export interface LoadedPools<Request> {
  readonly requests: readonly Request[]
  readonly pools: readonly PoolHistory[]
}

export type StateRow = readonly [
  reserve0: string,
  reserve1: string,
  sqrtPrice: string | null | undefined,
  price0: string | null | undefined,
  price1: string | null | undefined,
]

type SampleRow = readonly [...StateRow, seconds: number, low0: string, low1: string]

type PairRow = readonly [
  kind: PoolType,
  address: string,
  token0: string,
  token1: string,
  decimals0: number | null | undefined,
  decimals1: number | null | undefined,
]

/** The request, a pair of a pool, then its state. */
type PoolRow = readonly [
  request: number,
  pair: PairRow,
  createdBlock: number,
  current: StateRow,
  samples: readonly SampleRow[] | null,
  leastRank: number | null,
  leastPairRanks: Readonly<Record<string, number>> | null,
]

/**
 * States within as many seconds are one sample, so that a pool of a fast chain has at most 300 of an hour. Where a block
 * takes 12 seconds, all states are samples.
 */
const sampleSeconds = 12

/** The columns of a state: of a pool of several tokens, those of the pair with the indexes of `pair`. */
export function selectPairState(pair: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    coalesce(balances[${pair}.index0], reserve0) as reserve0,
    coalesce(balances[${pair}.index1], reserve1) as reserve1,
    sqrt_price, prices[${pair}.index0] as price0, prices[${pair}.index1] as price1`
}

/**
 * Loads the pools that hold the most of a token at each point, with their states in the window before it.
 *
 * They are found by rank, so that a token in 50,000 pools costs as much as one in ten. Pools are ranked by their balanced reserve
 * of the token (`getBalancedReserve`), which is exposed to arbitrage at a wrong price. But anyone can make pools of own tokens,
 * and no arbitrage takes what they hold. Where there are more than these, the pools with each quote token that hold the most
 * of the quote token are loaded as well.
 *
 * `offset 0` forces the plan: without statistics, as in the embedded database, the planner would join every pool with
 * every token. The result is one text, because the embedded database returns rows at less than half the speed.
 */
export async function loadPools<Request extends PoolRequest>(
  db: Kysely<Database>,
  requests: readonly Request[],
): Promise<LoadedPools<Request>[]> {
  if (requests.length === 0) {
    return []
  }
  const points = [...new Set(requests.map(({ point }) => point))]
  const tokensOf = new Map(requests.map(({ point, quoteTokens: each }) => [point.chainId, each]))
  const quoteTokens = [...tokensOf].flatMap(([chainId, tokens]) =>
    [...tokens].map((token) => ({ chainId, token })),
  )
  const pairState = selectPairState(sql`found`)
  const pairLows = sql`lows[found.index0] as deleted0, lows[found.index1] as deleted1`
  const needsDecimals = sql`found.kind like '%-stable'`
  const { rows } = await sql<{ pools: string | null }>`${prepared('pools')}
    with side as materialized (
      select * from unnest(
        ${integerArray(requests.map(({ point }) => point.chainId))},
        ${integerArray(requests.map(({ point }) => point.index))},
        ${bytesArray(requests.map(({ token }) => token))},
        ${integerArray(requests.map(({ token, quoteTokens: each }) => (each.has(token) ? -1 : 0)))}
      ) with ordinality as side (chain_id, index, token, least_rank, request)
    ),
    point as materialized (
      select * from unnest(
        ${integerArray(points.map(({ chainId }) => chainId))},
        ${integerArray(points.map(({ index }) => index))},
        ${integerArray(points.map(({ block }) => block))},
        ${integerArray(points.map(({ time }) => time))},
        ${integerArray(points.map(({ windowBlock }) => windowBlock))},
        ${integerArray(points.map(({ windowTime }) => windowTime))}
      ) as point (chain_id, index, block, time, window_block, window_time)
    ),
    quote as materialized (
      select * from unnest(
        ${integerArray(quoteTokens.map(({ chainId }) => chainId))},
        ${bytesArray(quoteTokens.map(({ token }) => token))}
      ) as quote (chain_id, token)
    ),
    found as materialized (
      select point.*, side.request - 1 as request, pool.*, rank, least, least_of_pairs from side
      join point on point.chain_id = side.chain_id and point.index = side.index
      cross join lateral (
        with of_token as materialized ${selectFirstPools('all')},
        paired as materialized (
          select quote.token as quote_token, listed.* from quote
          cross join lateral ${selectFirstPools('withQuoteToken')} as listed
          where quote.chain_id = side.chain_id and (select count(*) from of_token) >= ${sql.lit(maxPools)}
        )
        select address, max(rank) as rank, (select min(least) from of_token) as least, (
            select json_object_agg('0x' || encode(quote_token, 'hex'), full_list.least)
            from (select distinct quote_token, paired.least from paired where paired.least is not null) as full_list
          ) as least_of_pairs
        from (
          select address, rank from of_token
          union all
          select address, null from paired
        ) as candidate
        group by address
      ) as ranked
      cross join lateral (
        select kind, address, token0, token1, index0, index1, first_block from pools
        where ${isPool}
        offset 0
      ) as pool
    )
    select json_agg(json_build_array(found.request, json_build_array(
      found.kind,
      '0x' || encode(found.address, 'hex'),
      '0x' || encode(found.token0, 'hex'), '0x' || encode(found.token1, 'hex'),
      case when ${needsDecimals} then (
        select decimals from tokens
        where tokens.chain_id = found.chain_id and tokens.address = found.token0
      ) end,
      case when ${needsDecimals} then (
        select decimals from tokens
        where tokens.chain_id = found.chain_id and tokens.address = found.token1
      ) end),
      found.first_block,
      json_build_array(
        current.reserve0::text, current.reserve1::text, current.sqrt_price::text,
        current.price0::text, current.price1::text
      ),
      case when current.block_number > found.window_block then (
        select json_agg(json_build_array(
          reserve0::text, reserve1::text, sqrt_price::text, price0::text, price1::text,
          seconds, low0::text, low1::text
        ) order by block_number)
        from (
          select distinct on (sample)
            block_number, reserve0, reserve1, sqrt_price, price0, price1,
            sum(in_force) over same_sample as seconds,
            -- A state that is in force for longer than a sample is not lowered by a short one beside it.
            case when in_force >= ${sql.lit(sampleSeconds)} then held0
              else min(held0) over same_sample end as low0,
            case when in_force >= ${sql.lit(sampleSeconds)} then held1
              else min(held1) over same_sample end as low1
          from (
            select *, time / ${sql.lit(sampleSeconds)} as sample,
              coalesce(lead(time) over (order by block_number), found.time) - time as in_force,
              -- Where states between this one and the next were deleted, the lowest of them counts.
              least(reserve0, lead(deleted0) over (order by block_number)) as held0,
              least(reserve1, lead(deleted1) over (order by block_number)) as held1
            from (
              (
                select block_number, found.window_time as time, ${pairState}, ${pairLows}
                from pool_states
                where pool_states.chain_id = found.chain_id and pool_states.pool = found.address
                  and pool_states.block_number <= found.window_block
                order by pool_states.block_number desc
                limit 1
              )
              union all
              (
                select block_number, block.time, ${pairState}, ${pairLows}
                from (
                  select * from pool_states
                  where pool_states.chain_id = found.chain_id and pool_states.pool = found.address
                    and pool_states.block_number > found.window_block
                    and pool_states.block_number <= found.block
                  offset 0
                ) as state
                cross join lateral (
                  select time from blocks
                  where blocks.chain_id = found.chain_id and blocks.number = state.block_number
                  offset 0
                ) as block
              )
            ) as state
          ) as timed
          window same_sample as (partition by sample)
          order by sample, in_force desc, block_number desc
        ) as sampled
      ) end,
      least, least_of_pairs
    ) order by found.rank desc nulls last, found.address, found.token0, found.token1)::text as pools
    from found
    cross join lateral (
      select block_number, ${pairState} from pool_states
      where pool_states.chain_id = found.chain_id and pool_states.pool = found.address
        and pool_states.block_number <= found.block
      order by pool_states.block_number desc
      limit 1
    ) as current`.execute(db)
  const pools = requests.map((): PoolHistory[] => [])
  for (const row of JSON.parse(rows[0]?.pools ?? '[]') as PoolRow[]) {
    const [request] = row
    const requested = requests[request]
    if (requested) {
      pools[request]?.push(toHistory(row, requested))
    }
  }
  return requests.map((request, index) => ({ requests: [request], pools: pools[index] ?? [] }))
}

function toHistory(row: PoolRow, { point, token }: PoolRequest): PoolHistory {
  const [, pair, createdBlock, current, rows, leastRank, leastPairRanks] = row
  const samples = (rows ?? []).map((sample) => {
    const [, , , , , seconds, low0, low1] = sample
    return { ...toState(sample), seconds, low0: BigInt(low0), low1: BigInt(low1) }
  })
  const known = samples.reduce((sum, { seconds }) => sum + seconds, 0)
  const unknown = samples.length > 0 ? point.time - point.windowTime - known : 0
  // Until its first state, a pool had no liquidity.
  const empty = { seconds: unknown, reserve0: 0n, reserve1: 0n, low0: 0n, low1: 0n }
  const pool = toPool(pair, current)
  return {
    pool,
    isSeasoned: createdBlock <= point.windowBlock,
    createdBlock,
    samples: unknown > 0 ? [empty, ...samples] : samples,
    leastRank: leastRank ?? undefined,
    leastPairRank: leastPairRanks?.[getOtherToken(token, pool)],
  }
}

/** A pair of a pool with its state. */
export function toPool(
  [kind, address, token0, token1, decimals0 = null, decimals1 = null]: PairRow,
  state: StateRow,
): Pool {
  return {
    kind,
    address,
    token0,
    token1,
    ...toState(state),
    ...(decimals0 !== null && { decimals0 }),
    ...(decimals1 !== null && { decimals1 }),
  }
}

/** The state of a row. */
export function toState([reserve0, reserve1, sqrtPrice = null, price0 = null, price1 = null]:
  StateRow | SampleRow): PoolState {
  return {
    reserve0: BigInt(reserve0),
    reserve1: BigInt(reserve1),
    ...(sqrtPrice !== null && { sqrtPrice: BigInt(sqrtPrice) }),
    ...(price0 !== null && { price0: BigInt(price0) }),
    ...(price1 !== null && { price1: BigInt(price1) }),
  }
}
