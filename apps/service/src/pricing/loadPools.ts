import { type Kysely, type RawBuilder, sql } from 'kysely'
import { bytesArray, integerArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { prepared } from '../store/prepared.ts'
import type { PoolState, PoolType } from './Pool.ts'
import type { PoolHistory } from './PoolHistory.ts'
import type { PricingPoint } from './PricingPoint.ts'

/** A token, the most pools of it that are loaded, and the point. A pool may have several pairs of the token. */
export interface PoolRequest {
  readonly point: PricingPoint
  readonly token: string
  /** Of all pools, and of those with each quote token. */
  readonly limit: number
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
  sqrtPrice: string | null,
  price0: string | null,
  price1: string | null,
]

type SampleRow = readonly [...StateRow, seconds: number, low0: string, low1: string]

/** The request, a pair of a pool, then its state. */
type PoolRow = readonly [
  request: number,
  pair: readonly [
    kind: PoolType,
    address: string,
    token0: string,
    token1: string,
    decimals0: number | null,
    decimals1: number | null,
  ],
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
 * The expression of the index `pool_ranks_by_pair`, so that the planner has no other for a pair. A rank of a pair of a pool of
 * more tokens has both as its token.
 */
const pairKey = sql`(pool_ranks.token || coalesce(other_token, ''::bytea))`

/** Which ranks are those of a list of pools; each has an index. */
const lists = {
  all: sql`pool_ranks.token = side.token`,
  withQuoteToken: sql`${pairKey} = quote.token || side.token`,
}

/**
 * The ranks of a list at `point.block` in the order of its index, so that no more are read than a limit needs. Those of quote
 * tokens include the rank of empty pools, which show that a stablecoin has left the ranges of its pools (`findAnchors`).
 */
function scanRanks(list: keyof typeof lists): RawBuilder<unknown> {
  return sql`
    select pool as address, rank, from_block, token, first_block from pool_ranks
    where pool_ranks.chain_id = side.chain_id and ${lists[list]}
      and rank >= side.least_rank and from_block <= point.block
      and (to_block is null or to_block > point.block)
    order by rank desc, pool
    offset 0`
}

const isPool = sql`
  pools.chain_id = side.chain_id and pools.address = ranked.address
  and side.token in (token0, token1)`

const isSeasoned = sql`
  coalesce(ranked.first_block, (select first_block from pools where ${isPool} limit 1))
    <= point.window_block`

/** Whether a rank, by the alias of its table, is one of the pool in `ranked`. */
function isOwn(alias: string): RawBuilder<unknown> {
  const [chain, pool, token] = ['chain_id', 'pool', 'token'].map((column) =>
    sql.ref(`${alias}.${column}`),
  )
  return sql`${chain} = side.chain_id and ${pool} = ranked.address and ${token} = ranked.token`
}

/**
 * The highest rank that a pool had, or more, for half of the window; null if its first state is more recent. Its intervals are
 * read from the one at the start of the window on.
 */
const heldRank = sql`(
    select max(held.rank) from (
      select timed.rank, sum(timed.seconds) over (order by timed.rank desc) as seconds from (
        select begun.rank,
          coalesce(lead(begun.time) over (order by begun.from_block), point.time) - begun.time as seconds
        from (
          select own.rank, own.from_block,
            case when own.from_block <= point.window_block then point.window_time else (
              select blocks.time from blocks
              where blocks.chain_id = side.chain_id and blocks.number = own.from_block
            ) end as time
          from pool_ranks own
          where ${isOwn('own')} and own.from_block <= point.block
            and own.from_block >= coalesce((
              select earlier.from_block from pool_ranks earlier
              where ${isOwn('earlier')} and earlier.from_block <= point.window_block
              order by earlier.from_block desc limit 1
            ), 0)
        ) as begun
      ) as timed
    ) as held
    where 2 * held.seconds > point.time - point.window_time
  )`

/** How many of the first ranks are compared by what pools held, where some of them began in the window. */
const maxCompared = 256

/**
 * Selects the candidates of a list: the first pools by rank. If the rank of one of them began in the window, also the first ones
 * by the rank that they had for half of it, if that is lower, like the depth of a pool: reserves of a few blocks displace no
 * pool, and a change of its own rank displaces none either. Pools that were created in the window are not among these.
 *
 * The first ones are selected whatever they had, so that a token is loaded again while ranks of the window may become held ones.
 *
 * Each has the `least` rank of the list: no pool with a higher one is missing. It is null for a list that has no further pools.
 */
function selectFirstPools(list: keyof typeof lists): RawBuilder<unknown> {
  return sql`(
    with first as materialized (${scanRanks(list)} limit side.size),
    has_changed as materialized (select from first where from_block > point.window_block limit 1),
    compared as materialized (
      select address, rank, held from (
        select address, rank, case
          when from_block <= point.window_block then rank
          when ${isSeasoned} then least(rank, coalesce(${heldRank}, -1))
        end as held
        from (${scanRanks(list)} limit ${sql.lit(maxCompared)}) as ranked
        where exists (select from has_changed)
      ) as ranked
      where held >= 0
      order by held desc, address
      limit side.size
    )
    select address, rank,
      case when (select count(*) from first) = side.size then case
        when not exists (select from has_changed) then (select min(first.rank) from first)
        when (select count(*) from compared) = side.size then (select min(compared.held) from compared)
        else 0
      end end as least
    from (select address, rank from first union select address, rank from compared) as candidate
  )`
}

/**
 * Loads the pools that hold the most of a token at each point, with their states in the window before it.
 *
 * They are found by rank, so that a token in 50,000 pools costs as much as one in ten. Pools are ranked by their balanced reserve
 * of the token (`getBalancedReserve`), which is exposed to arbitrage at a wrong price. But anyone can make pools of own tokens,
 * and no arbitrage takes what they hold. Where there are more than the limit, the pools with each quote token that hold the most
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
        ${integerArray(requests.map(({ limit }) => limit))},
        ${integerArray(requests.map(({ token, quoteTokens: each }) => (each.has(token) ? -1 : 0)))}
      ) with ordinality as side (chain_id, index, token, size, least_rank, request)
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
          where quote.chain_id = side.chain_id and (select count(*) from of_token) >= side.size
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
  const [kind, address, token0, token1, decimals0, decimals1] = pair
  const samples = (rows ?? []).map((sample) => {
    const [, , , , , seconds, low0, low1] = sample
    return { ...toState(sample), seconds, low0: BigInt(low0), low1: BigInt(low1) }
  })
  const known = samples.reduce((sum, { seconds }) => sum + seconds, 0)
  const unknown = samples.length > 0 ? point.time - point.windowTime - known : 0
  // Until its first state, a pool had no liquidity.
  const empty = { seconds: unknown, reserve0: 0n, reserve1: 0n, low0: 0n, low1: 0n }
  return {
    pool: {
      kind,
      address,
      token0,
      token1,
      ...toState(current),
      ...(decimals0 !== null && { decimals0 }),
      ...(decimals1 !== null && { decimals1 }),
    },
    isSeasoned: createdBlock <= point.windowBlock,
    createdBlock,
    samples: unknown > 0 ? [empty, ...samples] : samples,
    leastRank: leastRank ?? undefined,
    leastPairRank: leastPairRanks?.[token === token0 ? token1 : token0],
  }
}

/** The state of a row. */
export function toState([reserve0, reserve1, sqrtPrice, price0, price1]:
  StateRow | SampleRow): PoolState {
  return {
    reserve0: BigInt(reserve0),
    reserve1: BigInt(reserve1),
    ...(sqrtPrice !== null && { sqrtPrice: BigInt(sqrtPrice) }),
    ...(price0 !== null && { price0: BigInt(price0) }),
    ...(price1 !== null && { price1: BigInt(price1) }),
  }
}
