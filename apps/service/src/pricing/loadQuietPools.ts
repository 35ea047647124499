import { type Kysely, type RawBuilder, sql } from 'kysely'
import { bytesArray, integerArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { prepared } from '../store/prepared.ts'
import { type LoadedPools, type PoolRequest, toPool } from './loadPools.ts'
import type { PoolType } from './Pool.ts'
import type { PoolHistory } from './PoolHistory.ts'
import { maxPools } from './selectFirstPools.ts'

/** A pair of a pool of a token. */
type QuietRow = readonly [
  token: number,
  rank: number,
  kind: PoolType,
  address: string,
  isToken0: 0 | 1,
  otherToken: string,
  firstBlock: number,
  reserve0: string,
  reserve1: string,
  // Only some types of pools have what follows, and most rows end here.
  sqrtPrice?: string | null,
  price0?: string | null,
  price1?: string | null,
  decimals0?: number | null,
  decimals1?: number | null,
]

/** A token of which a pool changed. */
type ChangedRow = readonly [token: number]

/** The requests of a token, of which at least one is made. */
type TokenRequests<Request> = readonly [Request, ...Request[]]

const addressBytes = sql.lit(20)

/**
 * Loads the pools of tokens that did not change since the start of the first window, once for all points of a token: its
 * pools, fewer than `maxPools`, their ranks and their states are older. They are those that `loadPools` returns at each of these
 * points, by one scan per token instead of two per point, as there are neither young pools nor samples.
 */
export async function loadQuietPools<Request extends PoolRequest>(
  db: Kysely<Database>,
  requests: readonly Request[],
): Promise<{ readonly quiet: readonly LoadedPools<Request>[]; readonly rest: readonly Request[] }> {
  if (requests.length === 0) {
    return { quiet: [], rest: [] }
  }
  const ranges = groupByRange(requests)
  const tokens = ranges.flatMap((range) => range.tokens)
  let count = 0
  const starts = ranges.map((range) => {
    const start = count
    count += range.tokens.length
    return start
  })
  const quoted = (value: RawBuilder<unknown>) => sql`coalesce('"' || ${value} || '"', 'null')`
  const decimalsOf = (token: RawBuilder<unknown>) => sql`
    coalesce(case when pair.kind like '%-stable' then (
      select decimals from tokens
      where tokens.chain_id = side.chain_id and tokens.address = ${token}
    )::text end, 'null')`
  // Tokens of a range in one value, and rows as one text: arrays take twice as long.
  const { rows } = await sql<{ pools: string | null }>`${prepared('quiet_pools')}
    with side as materialized (
      select chain_id, block, window_block, start + number - 1 as token_index,
        substring(tokens from (${addressBytes} * (number - 1) + 1)::int for ${addressBytes}) as token
      from unnest(
        ${integerArray(ranges.map(({ chainId }) => chainId))},
        ${integerArray(ranges.map(({ block }) => block))},
        ${integerArray(ranges.map(({ windowBlock }) => windowBlock))},
        ${integerArray(starts)},
        ${bytesArray(ranges.map((range) => joinTokens(range.tokens)))}
      ) as range (chain_id, block, window_block, start, tokens)
      cross join lateral generate_series(1, length(tokens) / ${addressBytes}) as number
    )
    select string_agg(
      case
        when from_block <= window_block and (to_block is null or to_block > block)
          and pair.first_block <= window_block and block_number <= window_block
        then format('[%s,%s,"%s","0x%s",%s,"0x%s",%s,"%s","%s"%s]',
          token_index, rank, pair.kind, encode(pool, 'hex'), (token = token0)::int,
          encode(case when token = token0 then token1 else token0 end, 'hex'), pair.first_block,
          coalesce(balances[index0], reserve0), coalesce(balances[index1], reserve1),
          case
            when sqrt_price is not null then format(',"%s"', sqrt_price)
            when prices is not null or pair.kind like '%-stable' then format(',null,%s,%s,%s,%s',
              ${quoted(sql`prices[index0]`)}, ${quoted(sql`prices[index1]`)},
              ${decimalsOf(sql`token0`)}, ${decimalsOf(sql`token1`)}
            )
          end
        )
        else format('[%s]', token_index)
      end,
      ','
    ) as pools
    from side
    cross join lateral (
      -- Those of all blocks since the start of the window.
      select pool, rank, from_block, to_block, index, other_token, kind, first_block from pool_ranks
      where pool_ranks.chain_id = side.chain_id and pool_ranks.token = side.token
        and rank >= 0 and from_block <= side.block
        and (to_block is null or to_block > side.window_block)
      order by rank desc, pool
      limit ${sql.lit(maxPools)}
    ) as ranked
    cross join lateral (
      select kind, 1 as index0, 2 as index1, first_block,
        case when index = 1 then token else other_token end as token0,
        case when index = 1 then other_token else token end as token1
      where index is not null
      union all (
        select kind, index0, index1, first_block, token0, token1 from pools
        where ranked.index is null
          and pools.chain_id = side.chain_id and pools.address = ranked.pool
          and side.token in (token0, token1)
        offset 0
      )
    ) as pair
    cross join lateral (
      select block_number, reserve0, reserve1, sqrt_price, balances, prices from pool_states
      where pool_states.chain_id = side.chain_id and pool_states.pool = ranked.pool
        and block_number <= side.block
      order by block_number desc
      limit 1
    ) as state`.execute(db)
  const rowsOf = new Array<QuietRow[] | undefined>(tokens.length)
  const changed = new Set<number>()
  for (const row of JSON.parse(`[${rows[0]?.pools ?? ''}]`) as (QuietRow | ChangedRow)[]) {
    if (row.length === 1) {
      changed.add(row[0])
      continue
    }
    const known = rowsOf[row[0]]
    if (known) {
      known.push(row)
    } else {
      rowsOf[row[0]] = [row]
    }
  }
  const others = new Map<string, string>()
  const quiet: LoadedPools<Request>[] = []
  const rest: Request[] = []
  for (const [index, ofToken] of tokens.entries()) {
    const [{ token }] = ofToken
    const ofPools = rowsOf[index] ?? []
    if (changed.has(index) || countPools(ofPools) >= maxPools) {
      rest.push(...ofToken)
      continue
    }
    const pools = sortRows(ofPools, token).map((row) => toQuietPool(row, token, others))
    quiet.push({ requests: ofToken, pools })
  }
  return { quiet, rest }
}

function countPools(rows: readonly QuietRow[]): number {
  return rows.length < 2 ? rows.length : new Set(rows.map(([, , , address]) => address)).size
}

/** Sorts the rows of a token as `loadPools` does: the database would sort those of all tokens. */
function sortRows(rows: QuietRow[], token: string): QuietRow[] {
  const getKey = ([, , , address, isToken0, otherToken]: QuietRow) =>
    [address, ...(isToken0 ? [token, otherToken] : [otherToken, token])].join(' ')
  return rows.sort((a, b) => b[1] - a[1] || (getKey(a) < getKey(b) ? -1 : 1))
}

/** Tokens of a chain with the same blocks. */
interface TokenRange<Request> {
  readonly chainId: number
  /** The latest block of the points. */
  readonly block: number
  /** The start of the first window. */
  readonly windowBlock: number
  readonly tokens: TokenRequests<Request>[]
}

function groupByRange<Request extends PoolRequest>(
  requests: readonly Request[],
): TokenRange<Request>[] {
  const ranges: TokenRange<Request>[] = []
  for (const ofToken of groupByToken(requests)) {
    const [{ point }] = ofToken
    const { chainId } = point
    let { block, windowBlock } = point
    for (const other of ofToken) {
      block = Math.max(block, other.point.block)
      windowBlock = Math.min(windowBlock, other.point.windowBlock)
    }
    // Few, as all tokens of a request have the same points.
    const known = ranges.find(
      (range) =>
        range.block === block && range.windowBlock === windowBlock && range.chainId === chainId,
    )
    if (known) {
      known.tokens.push(ofToken)
    } else {
      ranges.push({ chainId, block, windowBlock, tokens: [ofToken] })
    }
  }
  return ranges
}

function groupByToken<Request extends PoolRequest>(
  requests: readonly Request[],
): TokenRequests<Request>[] {
  const chains = Map.groupBy(requests, ({ point }) => point.chainId)
  const groups = [...chains.values()].flatMap((ofChain) => [
    ...Map.groupBy(ofChain, ({ token }) => token).values(),
  ])
  // No group is empty.
  return groups as unknown as TokenRequests<Request>[]
}

/** The addresses of tokens in one hex string. */
function joinTokens(tokens: readonly TokenRequests<PoolRequest>[]): string {
  return `0x${tokens.map(([{ token }]) => token.slice(2)).join('')}`
}

/** @param others - the other tokens of all pools, most of which are few: equal strings are one. */
function toQuietPool(row: QuietRow, token: string, others: Map<string, string>): PoolHistory {
  const [, , kind, address, isToken0, otherToken, createdBlock, ...columns] = row
  const [reserve0, reserve1, sqrtPrice, price0, price1, decimals0, decimals1] = columns
  const known = others.get(otherToken)
  if (known === undefined) {
    others.set(otherToken, otherToken)
  }
  const other = known ?? otherToken
  const pair = isToken0 ? ([token, other] as const) : ([other, token] as const)
  return {
    pool: toPool(
      [kind, address, ...pair, decimals0, decimals1],
      [reserve0, reserve1, sqrtPrice, price0, price1],
    ),
    isSeasoned: true,
    createdBlock,
    samples: [],
  }
}
