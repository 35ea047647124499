import type { Pool } from './Pool.ts'
import { compareRationals, multiply, type Rational } from './Rational.ts'
import type { Route } from './Route.ts'
import { getSpotPrice } from './venues/venues.ts'

/** The price of a token by one pool and the route of the pool's other token. */
export interface Quote {
  readonly pool: Pool
  readonly token: string
  readonly quoteToken: string
  readonly price: Rational
  /** USD value of the reserve of the quote token. */
  readonly leg: Rational
  /** The lowest USD value along the route: the liquidity. */
  readonly depth: Rational
}

/** With fewer smallest units of a token in a pool, the smallest possible trade moves the price by more than 2 %. */
const minUnits = 100n
/** A reserve worth less than the other one divided by this counts as empty. */
const maxImbalance = 1000n

/**
 * Quotes one token of a pool, given the route of the other. A one-sided pool has no quote:
 *
 * - the reserve of the quote token is empty, so that nothing can be sold into it;
 * - the reserve of the token has fewer than 100 smallest units, so that its price is dominated by rounding;
 * - the reserve of the token is worth less than a thousandth of the other at the pool's price. In a V2 pool both are worth
 *   the same. In a V3 pool the price is then at the edge of the range, and a tiny trade moves it out of all liquidity.
 */
export function findQuote(pool: Pool, token: string, route: Route | undefined): Quote | undefined {
  if (!route) {
    return undefined
  }
  const isToken0 = token === pool.token0
  const reserve = isToken0 ? pool.reserve0 : pool.reserve1
  const quoteReserve = isToken0 ? pool.reserve1 : pool.reserve0
  if (quoteReserve === 0n || reserve < minUnits) {
    return undefined
  }
  const spot = getSpotPrice(pool)
  if (!spot) {
    return undefined
  }
  const { numerator, denominator } = spot
  const [units, each] = isToken0 ? [numerator, denominator] : [denominator, numerator]
  if (units === 0n || each === 0n) {
    return undefined
  }
  if (reserve * units * maxImbalance < quoteReserve * each) {
    return undefined
  }

  const leg = multiply(route.price, quoteReserve)
  const { price, poolSize } = route
  return {
    pool,
    token,
    quoteToken: isToken0 ? pool.token1 : pool.token0,
    price: { numerator: price.numerator * units, denominator: price.denominator * each },
    leg,
    depth: poolSize && compareRationals(poolSize, leg) < 0 ? poolSize : leg,
  }
}

/** @returns a positive number if `a` is the better quote: by depth, then by leg, then by the lower pool address. */
export function compareQuotes(a: Quote, b: Quote): number {
  return (
    compareRationals(a.depth, b.depth) ||
    compareRationals(a.leg, b.leg) ||
    (a.pool.address < b.pool.address ? 1 : a.pool.address > b.pool.address ? -1 : 0)
  )
}
