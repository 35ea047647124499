import { type Pool, priceOf } from './Pool.ts'
import { compareRationals, type Rational, timesWhole } from './Rational.ts'
import type { Route } from './Route.ts'

/** A pool seen from the token that it prices. */
export interface Quote {
  readonly pool: Pool
  readonly token: string
  readonly quote: string
  readonly price: Rational
  /** USD value of the quote side. */
  readonly leg: Rational
  /** The leg, bounded by the rest of the route. */
  readonly depth: Rational
}

/** With fewer smallest units of a token in a pool, the smallest trade there is moves the price by more than 2 %. */
const FEWEST_UNITS = 100n
/** A side worth less than this part of the other counts as empty. */
const LEAST_PART = 1000n

/**
 * What a pool offers for one of its tokens, given the route of the other. There is no offer by a one-sided pool:
 *
 * - nothing is on the quote side, so nothing can be sold into it;
 * - fewer than 100 smallest units are on the side of the token, so that its price is a matter of rounding;
 * - the token's side is worth less than a thousandth of the quote side at the pool's own price. In a V2 pool both
 *   are worth the same. In a V3 pool the price then stands at the edge of the range, where next to nothing moves it
 *   out of everything that would be sold into.
 */
export function findQuote(pool: Pool, token: string, route: Route | undefined): Quote | undefined {
  if (!route) {
    return undefined
  }
  const is0 = token === pool.token0
  const reserve = is0 ? pool.reserve0 : pool.reserve1
  const quoteReserve = is0 ? pool.reserve1 : pool.reserve0
  if (quoteReserve === 0n || reserve < FEWEST_UNITS) {
    return undefined
  }
  const { numerator, denominator } = priceOf(pool)
  const [units, each] = is0 ? [numerator, denominator] : [denominator, numerator]
  if (units === 0n || each === 0n) {
    return undefined
  }
  if (reserve * units * LEAST_PART < quoteReserve * each) {
    return undefined
  }

  const leg = timesWhole(route.price, quoteReserve)
  const { price, poolSize } = route
  return {
    pool,
    token,
    quote: is0 ? pool.token1 : pool.token0,
    price: { numerator: price.numerator * units, denominator: price.denominator * each },
    leg,
    depth: poolSize && compareRationals(poolSize, leg) < 0 ? poolSize : leg,
  }
}

/** Above zero when `a` is the better offer: deeper, else with the deeper own leg, else of the lower pool address. */
export function compareQuotes(a: Quote, b: Quote): number {
  return (
    compareRationals(a.depth, b.depth) ||
    compareRationals(a.leg, b.leg) ||
    (a.pool.address < b.pool.address ? 1 : a.pool.address > b.pool.address ? -1 : 0)
  )
}
