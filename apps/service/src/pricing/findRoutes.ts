import type { Pool } from './Pool.ts'
import { compareRationals, type Rational, timesWhole } from './Rational.ts'
import type { Route } from './Route.ts'

/** A pool seen from the token that it prices. */
interface Offer {
  readonly pool: string
  readonly price: Rational
  /** USD value of the quote side. */
  readonly leg: Rational
  /** The leg, bounded by the rest of the route. */
  readonly depth: Rational
}

/**
 * Finds the deepest route to USD of every token in the pools: a widest-path search that starts at the stablecoins.
 *
 * A leg is as deep as its quote side is worth, a route as its thinnest leg. The price of each token is that of its
 * own deepest route, and a longer route builds on it: a token has one price, whoever asks.
 * Of routes of one depth the pair with the deeper own leg prices, then the lower pool address, so that the
 * order of the pools has no say. A pool with an empty side counts for nothing.
 *
 * @param stablecoins decimals of the tokens worth 1 USD, by address. Their anchor is of unbounded depth; their
 *   `poolSize` is that of their deepest pool with another hub.
 * @param hubs tokens that a route may pass, the stablecoins among them. Others only begin routes, so that
 *   which tokens are asked for has no influence on prices.
 */
export function findRoutes(
  pools: readonly Pool[],
  stablecoins: ReadonlyMap<string, number>,
  hubs: ReadonlySet<string>,
): Map<string, Route> {
  const filled = pools.filter(({ reserve0, reserve1 }) => reserve0 > 0n && reserve1 > 0n)
  const betweenHubs = filled.filter(({ token0, token1 }) => hubs.has(token0) && hubs.has(token1))
  const routes = new Map<string, Route>()
  for (const [token, decimals] of stablecoins)
    routes.set(token, { price: { numerator: 1n, denominator: 10n ** BigInt(decimals) } })

  // Each round settles the hub with the deepest offer, until the pools reach no further hub.
  for (;;) {
    const found = deepest(betweenHubs, routes, (token) => !routes.has(token))
    const next = [...found].sort(([, a], [, b]) => compareOffers(b, a))[0]
    if (!next) break
    routes.set(next[0], routeBy(next[1]))
  }
  const sizes = deepest(betweenHubs, routes, (token) => stablecoins.has(token))
  const ends = deepest(filled, routes, (token) => !hubs.has(token))
  for (const [token, offer] of ends) routes.set(token, routeBy(offer))
  for (const [token, { depth }] of sizes) {
    const route = routes.get(token)
    if (route) routes.set(token, { ...route, poolSize: depth })
  }
  return routes
}

/** The deepest offer for every wanted token, from pools whose other token has a route. */
function deepest(
  pools: readonly Pool[],
  routes: ReadonlyMap<string, Route>,
  isWanted: (token: string) => boolean,
): Map<string, Offer> {
  const best = new Map<string, Offer>()
  const consider = (
    token: string,
    reserve: bigint,
    quote: string,
    quoteReserve: bigint,
    { address }: Pool,
  ) => {
    const route = routes.get(quote)
    if (!route || !isWanted(token)) return
    const leg = timesWhole(route.price, quoteReserve)
    const { poolSize } = route
    const offer: Offer = {
      pool: address,
      price: { numerator: leg.numerator, denominator: leg.denominator * reserve },
      leg,
      depth: poolSize && compareRationals(poolSize, leg) < 0 ? poolSize : leg,
    }
    const current = best.get(token)
    if (!current || compareOffers(offer, current) > 0) best.set(token, offer)
  }
  for (const pool of pools) {
    consider(pool.token0, pool.reserve0, pool.token1, pool.reserve1, pool)
    consider(pool.token1, pool.reserve1, pool.token0, pool.reserve0, pool)
  }
  return best
}

/** Above zero when `a` is the better offer. */
function compareOffers(a: Offer, b: Offer): number {
  return (
    compareRationals(a.depth, b.depth) ||
    compareRationals(a.leg, b.leg) ||
    (a.pool < b.pool ? 1 : a.pool > b.pool ? -1 : 0)
  )
}

function routeBy({ price, depth }: Offer): Route {
  return { price, poolSize: depth }
}
