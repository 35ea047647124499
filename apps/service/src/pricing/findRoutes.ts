import { compareQuotes, findQuote, type Quote } from './findQuote.ts'
import type { Pool } from './Pool.ts'
import type { Route } from './Route.ts'

/**
 * Finds the deepest route to USD of every token in the pools: a widest-path search that starts at the stablecoins.
 *
 * A leg is as deep as its quote side is worth, a route as its thinnest leg. The price of each token is that of its
 * own deepest route, and a longer route builds on it: a token has one price, whoever asks.
 * Of routes of one depth the pair with the deeper own leg prices, then the lower pool address, so that the
 * order of the pools has no say. A one-sided pool counts for nothing (`findQuote` says what that is).
 *
 * @param stablecoins - decimals of the tokens worth 1 USD, by address. Their anchor is of unbounded depth; their
 *   `poolSize` is that of their deepest pool with another hub.
 * @param hubs - tokens that a route may pass, the stablecoins among them. Others only begin routes, so that
 *   which tokens are asked for has no influence on prices.
 */
export function findRoutes(
  pools: readonly Pool[],
  stablecoins: ReadonlyMap<string, number>,
  hubs: ReadonlySet<string>,
): Map<string, Route> {
  const betweenHubs = pools.filter(({ token0, token1 }) => hubs.has(token0) && hubs.has(token1))
  const routes = new Map<string, Route>()
  for (const [token, decimals] of stablecoins) {
    routes.set(token, { price: { numerator: 1n, denominator: 10n ** BigInt(decimals) }, legs: [] })
  }

  // Each round settles the hub with the deepest offer, until the pools reach no further hub.
  for (;;) {
    const found = deepest(betweenHubs, routes, (token) => !routes.has(token))
    const next = [...found.values()].sort((a, b) => compareQuotes(b, a))[0]
    if (!next) {
      break
    }
    routes.set(next.token, routeBy(next, routes))
  }
  const sizes = deepest(betweenHubs, routes, (token) => stablecoins.has(token))
  const ends = deepest(pools, routes, (token) => !hubs.has(token))
  for (const [token, offer] of ends) {
    routes.set(token, routeBy(offer, routes))
  }
  for (const [token, { depth }] of sizes) {
    const route = routes.get(token)
    if (route) {
      routes.set(token, { ...route, poolSize: depth })
    }
  }
  return routes
}

/** The deepest offer for every wanted token, from pools whose other token has a route. */
function deepest(
  pools: readonly Pool[],
  routes: ReadonlyMap<string, Route>,
  isWanted: (token: string) => boolean,
): Map<string, Quote> {
  const best = new Map<string, Quote>()
  const consider = (pool: Pool, token: string, quote: string) => {
    if (!isWanted(token)) {
      return
    }
    const offer = findQuote(pool, token, routes.get(quote))
    if (!offer) {
      return
    }
    const current = best.get(token)
    if (!current || compareQuotes(offer, current) > 0) {
      best.set(token, offer)
    }
  }
  for (const pool of pools) {
    consider(pool, pool.token0, pool.token1)
    consider(pool, pool.token1, pool.token0)
  }
  return best
}

function routeBy(
  { pool, token, quote, price, depth }: Quote,
  routes: ReadonlyMap<string, Route>,
): Route {
  const leg = { type: pool.kind, address: pool.address, tokens: [token, quote] as const }
  return { price, poolSize: depth, legs: [leg, ...(routes.get(quote)?.legs ?? [])] }
}
