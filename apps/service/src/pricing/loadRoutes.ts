import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { type AssessedPool, assessPool } from './AssessedPool.ts'
import { findQuoteRoutes, findRoutes, type FoundRoutes } from './findRoutes.ts'
import { getQuoteTokens } from './getQuoteTokens.ts'
import { loadPools, type PoolRequest } from './loadPools.ts'
import { loadStablecoins } from './loadStablecoins.ts'
import type { PricingPoint } from './PricingPoint.ts'
import { maxLegs, type PoolsByToken } from './RouteFinder.ts'

/** Tokens of one chain, and the points for which to find their routes. */
interface RouteRequest {
  readonly chain: ChainConfig
  readonly tokens: readonly string[]
  readonly points: readonly PricingPoint[]
}

/** How many pools may price a token, and a quote token. */
const maxPools = 8
const maxQuoteTokenPools = 64

/**
 * Loads the pools of tokens, of the other tokens of these pools, and so on for as many legs as a route has, and finds the
 * routes to USD. Most tokens have pools with quote tokens alone, so that the first query, which loads the pools
 * of both, is enough.
 *
 * @returns routes by index of the point, by chain id.
 */
export async function loadRoutes(
  db: Kysely<Database>,
  requests: readonly RouteRequest[],
): Promise<Map<number, Map<number, FoundRoutes>>> {
  if (requests.length === 0) {
    return new Map()
  }
  const points = requests.flatMap((request) => request.points)
  const stablecoins = await loadStablecoins(
    db,
    requests.map(({ chain }) => chain),
  )
  const anchorsAt = ({ chainId, block }: PricingPoint) =>
    new Map(
      stablecoins
        .filter((stablecoin) => stablecoin.chainId === chainId && stablecoin.firstBlock <= block)
        .map(({ address, decimals }) => [address, decimals]),
    )
  const pools = new CandidatePools(db, points)
  await pools.load(
    requests.flatMap(({ chain, tokens }) => [
      ...toRequests(chain.id, getQuoteTokens(chain), maxQuoteTokenPools),
      ...toRequests(chain.id, tokens, maxPools),
    ]),
  )
  const routed = new Map(
    requests.map(({ chain, points }) => [
      chain.id,
      findRoutedQuoteTokens(getQuoteTokens(chain), points, (point, quoteTokens) =>
        findQuoteRoutes(pools.at(point), anchorsAt(point), quoteTokens),
      ),
    ]),
  )
  const hasAnchor = stablecoins.length > 0
  for (let legs = maxLegs - 1; hasAnchor && legs > 0; legs--) {
    await pools.load(
      requests.flatMap(({ chain }) =>
        toRequests(chain.id, pools.findOthers(chain.id, routed.get(chain.id)), maxPools),
      ),
    )
  }
  return new Map(
    requests.map(({ chain, tokens, points }) => [
      chain.id,
      new Map(
        points.map((point) => [
          point.index,
          findRoutes(tokens, pools.at(point), anchorsAt(point), getQuoteTokens(chain)),
        ]),
      ),
    ]),
  )
}

/** The quote tokens with a route by pools of quote tokens at all points: the other tokens of their pools are not needed. */
function findRoutedQuoteTokens(
  quoteTokens: ReadonlySet<string>,
  points: readonly PricingPoint[],
  findRoutesAt: (point: PricingPoint, quoteTokens: ReadonlySet<string>) => FoundRoutes,
): Set<string> {
  const found = points.map((point) => findRoutesAt(point, quoteTokens).routes)
  return new Set([...quoteTokens].filter((token) => found.every((routes) => routes.has(token))))
}

function toRequests(chainId: number, tokens: Iterable<string>, limit: number): PoolRequest[] {
  return [...tokens].map((token) => ({ chainId, token, limit }))
}

/** The pools that may price tokens at some points, loaded once for each token. */
class CandidatePools {
  readonly #db: Kysely<Database>
  readonly #points: readonly PricingPoint[]
  /** By point, then by token. */
  readonly #pools = new Map<string, Map<string, AssessedPool[]>>()
  /** Chain ids and tokens. */
  readonly #loaded = new Set<string>()

  constructor(db: Kysely<Database>, points: readonly PricingPoint[]) {
    this.#db = db
    this.#points = points
    for (const point of points) {
      this.#pools.set(toKey(point), new Map())
    }
  }

  /** Loads the pools of tokens, except those that are loaded; the first of equal requests counts. */
  async load(requests: readonly PoolRequest[]): Promise<void> {
    const missing = requests.filter(({ chainId, token }) => {
      const key = `${chainId}/${token}`
      const isMissing = !this.#loaded.has(key)
      this.#loaded.add(key)
      return isMissing
    })
    const found = await loadPools(this.#db, missing, this.#points)
    for (const { token, chainId, index, ...history } of found) {
      const key = toKey({ chainId, index })
      const assessed = assessPool(history)
      const byToken = this.#pools.get(key)
      const others = byToken?.get(token)
      if (others) {
        others.push(assessed)
      } else {
        byToken?.set(token, [assessed])
      }
    }
  }

  /** The loaded pools at a point, by token. */
  at(point: PricingPoint): PoolsByToken {
    return this.#pools.get(toKey(point)) ?? new Map()
  }

  /** The other tokens of the pools of a chain, except those of pools that were loaded for `ignored` tokens. */
  findOthers(chainId: number, ignored: ReadonlySet<string> = new Set()): Set<string> {
    const others = new Set<string>()
    for (const point of this.#points) {
      if (point.chainId !== chainId) {
        continue
      }
      for (const [token, pools] of this.at(point)) {
        if (ignored.has(token)) {
          continue
        }
        for (const { pool } of pools) {
          others.add(token === pool.token0 ? pool.token1 : pool.token0)
        }
      }
    }
    return others
  }
}

function toKey({ chainId, index }: Pick<PricingPoint, 'chainId' | 'index'>): string {
  return `${chainId}/${index}`
}
