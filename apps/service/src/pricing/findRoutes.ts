import type { AssessedPool } from './AssessedPool.ts'
import { findAnchors } from './findAnchors.ts'
import { findQuote } from './findQuote.ts'
import { getOtherToken } from './Pool.ts'
import { findHighest, type Rational } from './Rational.ts'
import type { FoundRoute, FoundRoutes, RejectedPool, Route } from './Route.ts'
import { maxLegs, noRoute, type PoolsByToken, RouteFinder } from './RouteFinder.ts'

/** Quote tokens are priced by fewer legs than others, so that every token with a pool of one has a route. */
const maxQuoteTokenLegs = maxLegs - 1

/**
 * Finds the routes of tokens to USD at a point, by the same rules for every source of pools: the head, an earlier block,
 * or the state that a node returned.
 *
 * 1. Which stablecoins count as 1 USD (`findAnchors`).
 * 2. Quote tokens, by the pools of two of them. One without such a route is like any other token.
 * 3. All other tokens, by their own pools (`RouteFinder`).
 *
 * @param tokens - to price.
 * @param pools - the candidates of each of them, of the quote tokens, and of the other tokens of their pools.
 * @param stablecoins - decimals by address.
 * @param quoteTokens - including the stablecoins.
 */
export function findRoutes(
  tokens: Iterable<string>,
  pools: PoolsByToken,
  stablecoins: ReadonlyMap<string, number>,
  quoteTokens: ReadonlySet<string>,
): FoundRoutes {
  const { routes: known, depegged } = findQuoteRoutes(pools, stablecoins, quoteTokens)
  const finder = new RouteFinder(pools, known, { quoteTokens })
  return {
    routes: new Map([...tokens].map((token) => [token, finder.find(token) ?? noRoute])),
    depegged,
  }
}

/** The routes of the quote tokens that have one; they do not depend on other tokens. */
export function findQuoteRoutes(
  pools: PoolsByToken,
  stablecoins: ReadonlyMap<string, number>,
  quoteTokens: ReadonlySet<string>,
  priceFeeds: ReadonlySet<string> = new Set(),
): FoundRoutes {
  const isQuotePool = ({ pool: { kind, token0, token1 } }: AssessedPool) =>
    kind !== 'chainlink' && quoteTokens.has(token0) && quoteTokens.has(token1)
  const quotePools = new Map<string, readonly AssessedPool[]>()
  const feeds = new Map<string, Rational>()
  for (const token of quoteTokens) {
    const all = pools.get(token) ?? []
    quotePools.set(token, all.filter(isQuotePool))
    for (const { pool, price } of all) {
      if (pool.kind === 'chainlink' && price && priceFeeds.has(pool.address)) {
        feeds.set(token, price)
      }
    }
  }
  const { routes: anchors, depegged } = findAnchors(quotePools, stablecoins, feeds)
  const finder = new RouteFinder(quotePools, anchors)
  const routes = new Map<string, FoundRoute>()
  for (const token of quoteTokens) {
    const anchor = anchors.get(token)?.route
    const found = anchor
      ? findPoolSize(token, anchor, quotePools.get(token) ?? [], finder)
      : finder.find(token, maxQuoteTokenLegs)
    if (found?.route) {
      routes.set(token, found)
    }
  }
  return { routes, depegged }
}

/**
 * Adds the `poolSize` of an anchor, that of its deepest pool. It is at 1 USD whatever its pools hold, so that these may also price
 * the tokens that they hold beside it.
 */
function findPoolSize(
  token: string,
  anchor: Route,
  pools: readonly AssessedPool[],
  finder: RouteFinder,
): FoundRoute {
  const rejected: RejectedPool[] = []
  const depths: Rational[] = []
  for (const assessed of pools) {
    const route = finder.find(getOtherToken(token, assessed.pool), maxQuoteTokenLegs)?.route
    const quote = findQuote(assessed, token, route)
    if (typeof quote === 'string') {
      rejected.push({ assessed, reason: quote })
    } else {
      depths.push(quote.depth)
    }
  }
  const poolSize = findHighest(depths)
  return { route: poolSize ? { ...anchor, poolSize } : anchor, rejected }
}
