import { compareQuotes, findQuote, type Quote } from './findQuote.ts'
import type { Pool } from './Pool.ts'
import type { Route } from './Route.ts'

/**
 * Finds the deepest route to USD of every token in the pools: a widest-path search that starts at the stablecoins.
 *
 * The depth of a leg is the value of its quote reserve, that of a route the minimum of its legs. The price of a token is
 * that of its deepest route, and longer routes extend it, so that a token has the same price in every request. Of routes
 * of equal depth the one with the deeper first leg wins, then the lower pool address, regardless of the order of the
 * pools. One-sided pools are ignored (see `findQuote`).
 *
 * @param stablecoins - decimals of the tokens worth 1 USD, by address. As an anchor their depth is unbounded; their
 *   `poolSize` is that of their deepest pool with another quote token.
 * @param quoteTokens - tokens that a route may pass, including the stablecoins. Other tokens only start routes, so that
 *   the set of requested tokens does not affect prices.
 */
export function findRoutes(
  pools: readonly Pool[],
  stablecoins: ReadonlyMap<string, number>,
  quoteTokens: ReadonlySet<string>,
): Map<string, Route> {
  const quotePools = pools.filter(
    ({ token0, token1 }) => quoteTokens.has(token0) && quoteTokens.has(token1),
  )
  const routes = new Map<string, Route>()
  for (const [token, decimals] of stablecoins) {
    routes.set(token, { price: { numerator: 1n, denominator: 10n ** BigInt(decimals) }, legs: [] })
  }

  // Each iteration adds the quote token with the deepest quote, until no other is reachable.
  for (;;) {
    const quotes = findDeepest(quotePools, routes, (token) => !routes.has(token))
    const next = [...quotes.values()].sort((a, b) => compareQuotes(b, a))[0]
    if (!next) {
      break
    }
    routes.set(next.token, toRoute(next, routes))
  }
  const stablecoinQuotes = findDeepest(quotePools, routes, (token) => stablecoins.has(token))
  const tokenQuotes = findDeepest(pools, routes, (token) => !quoteTokens.has(token))
  for (const [token, quote] of tokenQuotes) {
    routes.set(token, toRoute(quote, routes))
  }
  for (const [token, { depth }] of stablecoinQuotes) {
    const route = routes.get(token)
    if (route) {
      routes.set(token, { ...route, poolSize: depth })
    }
  }
  return routes
}

/** The deepest quote of each token that the predicate accepts, by pools where the other token has a route. */
function findDeepest(
  pools: readonly Pool[],
  routes: ReadonlyMap<string, Route>,
  predicate: (token: string) => boolean,
): Map<string, Quote> {
  const best = new Map<string, Quote>()
  const consider = (pool: Pool, token: string, other: string) => {
    if (!predicate(token)) {
      return
    }
    const quote = findQuote(pool, token, routes.get(other))
    if (!quote) {
      return
    }
    const current = best.get(token)
    if (!current || compareQuotes(quote, current) > 0) {
      best.set(token, quote)
    }
  }
  for (const pool of pools) {
    consider(pool, pool.token0, pool.token1)
    consider(pool, pool.token1, pool.token0)
  }
  return best
}

function toRoute(
  { pool, token, quoteToken, price, depth }: Quote,
  routes: ReadonlyMap<string, Route>,
): Route {
  const leg = { type: pool.kind, address: pool.address, tokens: [token, quoteToken] as const }
  return { price, poolSize: depth, legs: [leg, ...(routes.get(quoteToken)?.legs ?? [])] }
}
