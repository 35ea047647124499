import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { findRoutes } from './findRoutes.ts'
import { getQuoteTokens } from './getQuoteTokens.ts'
import { loadPools } from './loadPools.ts'
import { loadStablecoins } from './loadStablecoins.ts'
import type { Pool } from './Pool.ts'
import type { PricingPoint } from './PricingPoint.ts'
import type { Route } from './Route.ts'

/** Tokens of one chain, and the points for which to find their routes. */
interface RouteRequest {
  readonly chain: ChainConfig
  readonly tokens: readonly string[]
  readonly points: readonly PricingPoint[]
}

/**
 * Loads the pools of tokens and quote tokens, and finds their routes to USD.
 *
 * @returns routes by token, by index of the point, by chain id.
 */
export async function loadRoutes(
  db: Kysely<Database>,
  requests: readonly RouteRequest[],
): Promise<Map<number, Map<number, Map<string, Route>>>> {
  if (requests.length === 0) {
    return new Map()
  }
  const quoteTokens = new Map(requests.map(({ chain }) => [chain.id, getQuoteTokens(chain)]))
  const pools = await loadPools(
    db,
    requests.map(({ chain, tokens }) => ({
      chainId: chain.id,
      tokens: tokens.filter((token) => !quoteTokens.get(chain.id)?.has(token)),
    })),
    requests.map(({ chain }) => ({ chainId: chain.id, tokens: quoteTokens.get(chain.id) ?? [] })),
    requests.flatMap(({ points }) => points),
  )
  const poolsAt = new Map<string, Pool[]>()
  for (const pool of pools) {
    const key = `${pool.chainId}/${pool.index}`
    const others = poolsAt.get(key)
    if (others) {
      others.push(pool)
    } else {
      poolsAt.set(key, [pool])
    }
  }
  const stablecoins = await loadStablecoins(
    db,
    requests.map(({ chain }) => chain),
  )
  const routesAt = ({ chainId, index, block }: PricingPoint) =>
    findRoutes(
      poolsAt.get(`${chainId}/${index}`) ?? [],
      new Map(
        stablecoins
          .filter((stablecoin) => stablecoin.chainId === chainId && stablecoin.firstBlock <= block)
          .map(({ address, decimals }) => [address, decimals]),
      ),
      quoteTokens.get(chainId) ?? new Set(),
    )
  return new Map(
    requests.map(({ chain, points }) => [
      chain.id,
      new Map(points.map((point) => [point.index, routesAt(point)])),
    ]),
  )
}
