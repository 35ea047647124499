import { type RawBuilder, sql } from 'kysely'

// SQL that finds the pools of `side`, a token of a chain, at `point`: all of them, or those with the token of `quote`.

/** How many pools of a token are loaded: of all of its pools, and of those with each quote token. */
export const maxPools = 8
const size = sql.lit(maxPools)

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
 * The ranks of a list at a block in the order of its index, so that no more are read than a limit needs. Those of quote
 * tokens include the rank of empty pools, which show that a stablecoin has left the ranges of its pools (`findAnchors`).
 */
function scanRanks(
  list: keyof typeof lists,
  block: RawBuilder<unknown> = sql`point.block`,
): RawBuilder<unknown> {
  return sql`
    select pool as address, rank, from_block, token, first_block from pool_ranks
    where pool_ranks.chain_id = side.chain_id and ${lists[list]}
      and rank >= side.least_rank and from_block <= ${block}
      and (to_block is null or to_block > ${block})
    order by rank desc, pool
    offset 0`
}

/** Whether a row of `pools` is a pair of the token of the pool in `ranked`. */
export const isPool = sql`
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
 * Those that were the first ones before the window are selected as well: a pool that is emptied for a block still shows that the
 * prices of others are wrong (`selectQuote`).
 *
 * The first ones are selected whatever they had, so that a token is loaded again while ranks of the window may become held ones.
 *
 * Each has the `least` rank of the list: no pool with a higher one is missing. It is null for a list that has no further pools.
 */
export function selectFirstPools(list: keyof typeof lists): RawBuilder<unknown> {
  return sql`(
    with first as materialized (${scanRanks(list)} limit ${size}),
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
      limit ${size}
    )
    select address, rank,
      case when (select count(*) from first) = ${size} then case
        when not exists (select from has_changed) then (select min(first.rank) from first)
        when (select count(*) from compared) = ${size} then (select min(compared.held) from compared)
        else 0
      end end as least
    from (
      select address, rank from first
      union select address, rank from compared
      union select address, null from (${scanRanks(list, sql`point.window_block`)} limit ${size}) as earlier
    ) as candidate
  )`
}
