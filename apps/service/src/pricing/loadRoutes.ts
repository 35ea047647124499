import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { type AssessedPool, assessPool } from './AssessedPool.ts'
import { loadPools } from './loadPools.ts'
import { loadStablecoins } from './loadStablecoins.ts'
import type { PointPrices } from './PointPrices.ts'
import type { PricingPoint } from './PricingPoint.ts'

/** Tokens to price at a point of a chain. */
export interface RouteSearch {
  readonly chain: ChainConfig
  readonly tokens: readonly string[]
  readonly point: PricingPoint
  /** The prices that are known, which are extended. */
  readonly prices: PointPrices
}

/** How many pools may price a token, and a quote token. */
export const maxPools = 8
const maxQuoteTokenPools = 64

/**
 * Finds the routes of tokens to USD, and loads what they are found by: the pools of the tokens, of the other tokens of these
 * pools, and so on for as many legs as a route has. Most tokens have a pool with a quote token, so that the first
 * query, which loads the pools of both, is enough.
 */
export async function loadRoutes(
  db: Kysely<Database>,
  searches: readonly RouteSearch[],
): Promise<void> {
  const unknown = searches.filter(({ prices }) => !prices.stablecoins)
  const chains = [...new Set(unknown.map(({ chain }) => chain))]
  const stablecoins = await loadStablecoins(db, chains)
  for (const { point, prices } of unknown) {
    const indexed = stablecoins.filter(
      ({ chainId, firstBlock }) => chainId === point.chainId && firstBlock <= point.block,
    )
    prices.stablecoins = new Map(indexed.map(({ address, decimals }) => [address, decimals]))
  }
  for (;;) {
    const requests = searches.flatMap(({ point, prices, tokens }) =>
      [...prices.find(tokens)].map((token) => ({
        ...{ point, token },
        limit: prices.quoteTokens.has(token) ? maxQuoteTokenPools : maxPools,
      })),
    )
    if (requests.length === 0) {
      return
    }
    const found = Map.groupBy(await loadPools(db, requests), getKey)
    for (const { point, prices } of searches) {
      const pools = new Map<string, AssessedPool[]>(
        requests.flatMap((request) => (request.point === point ? [[request.token, []]] : [])),
      )
      for (const { token, chainId: _, index: __, ...history } of found.get(getKey(point)) ?? []) {
        pools.get(token)?.push(assessPool(history))
      }
      for (const [token, ofToken] of pools) {
        prices.pools.set(token, ofToken)
      }
    }
  }
}

function getKey({ chainId, index }: Pick<PricingPoint, 'chainId' | 'index'>): string {
  return `${chainId}/${index}`
}
