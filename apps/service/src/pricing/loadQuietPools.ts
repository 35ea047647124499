import { type Kysely, sql } from 'kysely'
import { bytesArray, integerArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import type { LoadedPools, PoolRequest } from './loadPools.ts'
import type { PoolType } from './Pool.ts'
import type { PoolHistory } from './PoolHistory.ts'

/** The text of what is null. */
const none = '-'

/**
 * Loads the pools of tokens that did not change since the start of the first window, once for all points of a token: its
 * first pools by rank, their ranks and their states are older. They are those that `loadPools` returns at each of these points,
 * by one scan per token instead of two per point, as there are neither young pools nor samples.
 */
export async function loadQuietPools<Request extends PoolRequest>(
  db: Kysely<Database>,
  requests: readonly Request[],
): Promise<{ readonly quiet: readonly LoadedPools<Request>[]; readonly rest: readonly Request[] }> {
  const sides = groupByToken(requests)
  if (sides.length === 0) {
    return { quiet: [], rest: [] }
  }
  const decimalsOf = (token: 'token0' | 'token1') => sql`
    coalesce(case when kind like '%-stable' then (
      select decimals from tokens
      where tokens.chain_id = side.chain_id and tokens.address = ${sql.ref(token)}
    )::text end, ${sql.lit(none)})`
  // Concatenated, as arrays of JSON take twice as long.
  const { rows } = await sql<{ pools: string | null }>`
    with side as materialized (
      select side.*, ordinality - 1 as index from unnest(
        ${integerArray(sides.map(([{ point }]) => point.chainId))},
        ${bytesArray(sides.map(([{ token }]) => token))},
        ${integerArray(sides.map(([{ limit }]) => limit))},
        ${integerArray(sides.map((of) => Math.max(...of.map(({ point }) => point.block))))},
        ${integerArray(sides.map((of) => Math.min(...of.map(({ point }) => point.windowBlock))))}
      ) with ordinality as side (chain_id, token, size, block, window_block)
    )
    select string_agg(
      case
        when from_block <= window_block and (to_block is null or to_block > block)
          and first_block <= window_block and block_number <= window_block
        then concat_ws(' ',
          index, kind, encode(pool, 'hex'), encode(token0, 'hex'), encode(token1, 'hex'),
          ${decimalsOf('token0')}, ${decimalsOf('token1')},
          first_block,
          case
            when balances is null then concat_ws(' ', reserve0, reserve1, sqrt_price)
            else concat_ws(' ',
              coalesce(balances[index0], reserve0), coalesce(balances[index1], reserve1),
              ${sql.lit(none)},
              coalesce(prices[index0]::text, ${sql.lit(none)}),
              coalesce(prices[index1]::text, ${sql.lit(none)})
            )
          end
        )
        else index::text
      end,
      ',' order by rank desc, pool, token0, token1
    ) as pools
    from side
    cross join lateral (
      -- Those of all blocks since the start of the window.
      select pool, rank, from_block, to_block from pool_ranks
      where pool_ranks.chain_id = side.chain_id and pool_ranks.token = side.token
        and rank >= 0 and from_block <= side.block
        and (to_block is null or to_block > side.window_block)
      order by rank desc, pool
      limit side.size
    ) as ranked
    cross join lateral (
      select kind, token0, token1, index0, index1, first_block from pools
      where pools.chain_id = side.chain_id and pools.address = ranked.pool
        and side.token in (token0, token1)
      offset 0
    ) as pair
    cross join lateral (
      select block_number, reserve0, reserve1, sqrt_price, balances, prices from pool_states
      where pool_states.chain_id = side.chain_id and pool_states.pool = ranked.pool
        and block_number <= side.block
      order by block_number desc
      limit 1
    ) as state`.execute(db)
  const pools = sides.map((): PoolHistory[] => [])
  const changed = new Set<number>()
  for (const row of rows[0]?.pools?.split(',') ?? []) {
    const columns = row.split(' ')
    const index = Number(columns[0])
    if (columns.length === 1) {
      changed.add(index)
    } else {
      pools[index]?.push(toQuietPool(columns))
    }
  }
  return {
    quiet: sides.flatMap((requests, index) =>
      changed.has(index) ? [] : [{ requests, pools: pools[index] ?? [] }],
    ),
    rest: sides.filter((_, index) => changed.has(index)).flat(),
  }
}

function groupByToken<Request extends PoolRequest>(
  requests: readonly Request[],
): (readonly [Request, ...Request[]])[] {
  const chains = new Map<number, Map<string, [Request, ...Request[]]>>()
  for (const request of requests) {
    const { point, token } = request
    const tokens = chains.get(point.chainId) ?? new Map<string, [Request, ...Request[]]>()
    chains.set(point.chainId, tokens)
    const others = tokens.get(token)
    if (others) {
      others.push(request)
    } else {
      tokens.set(token, [request])
    }
  }
  return [...chains.values()].flatMap((tokens) => [...tokens.values()])
}

function toQuietPool(columns: readonly string[]): PoolHistory {
  const decimals0 = toNumber(columns[5])
  const decimals1 = toNumber(columns[6])
  const sqrtPrice = toAmount(columns[10])
  const price0 = toAmount(columns[11])
  const price1 = toAmount(columns[12])
  return {
    pool: {
      kind: columns[1] as PoolType,
      address: `0x${columns[2]}`,
      token0: `0x${columns[3]}`,
      token1: `0x${columns[4]}`,
      reserve0: toAmount(columns[8]) ?? 0n,
      reserve1: toAmount(columns[9]) ?? 0n,
      ...(decimals0 !== undefined && { decimals0 }),
      ...(decimals1 !== undefined && { decimals1 }),
      ...(sqrtPrice !== undefined && { sqrtPrice }),
      ...(price0 !== undefined && { price0 }),
      ...(price1 !== undefined && { price1 }),
    },
    isSeasoned: true,
    createdBlock: Number(columns[7]),
    samples: [],
  }
}

function toNumber(value: string | undefined): number | undefined {
  return value === none ? undefined : Number(value)
}

function toAmount(value: string | undefined): bigint | undefined {
  return value === undefined || value === none ? undefined : BigInt(value)
}
