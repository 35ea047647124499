import { compareStrings } from '../compare.ts'
import type { AssessedPool, RejectionReason } from './AssessedPool.ts'
import { getOtherToken } from './Pool.ts'
import { compareRationals, multiply, type Rational } from './Rational.ts'
import type { Route } from './Route.ts'

/** The price of a token by one pool and the route of the pool's other token. */
export interface Quote {
  readonly assessed: AssessedPool
  readonly token: string
  readonly quoteToken: string
  readonly price: Rational
  /** USD value of the reserve of the quote token: the lower of now and the window. */
  readonly reserveValue: Rational
  /** The lowest USD value along the route: the liquidity. */
  readonly depth: Rational
  /** The route of the quote token. */
  readonly route: Route
  /** Whether it is by what the pool held in the window, as it has no quote now. */
  readonly isPast: boolean
}

/** With fewer smallest units of a token in a pool, the smallest possible trade moves the price by more than 2 %. */
const minUnits = 100n
/** A reserve worth less than the other one divided by this counts as empty. */
const maxImbalance = 20n

/**
 * Quotes one token of a pool, given the route of the other, if it has one. A one-sided pool has no quote:
 *
 * - the reserve of the quote token is empty, so that nothing can be sold into it;
 * - the reserve of the token has fewer than 100 smallest units, so that its price is dominated by rounding;
 * - the reserve of the token is worth less than a twentieth of the other at the pool's price. In a V2 pool both are worth
 *   the same. In a pool with ranges the price is then at the edge of them, and a small trade moves it out of all liquidity.
 */
export function findQuote(
  assessed: AssessedPool,
  token: string,
  route: Route | undefined,
): Quote | RejectionReason {
  const { pool, price: poolPrice } = assessed
  if (!assessed.isSeasoned) {
    return 'YOUNG'
  }
  if (!route) {
    return 'NO_ROUTE'
  }
  const isToken0 = token === pool.token0
  const quoteToken = getOtherToken(token, pool)
  const reserve = getGuardedReserve(assessed, token)
  const quoteReserve = getGuardedReserve(assessed, quoteToken)
  if (quoteReserve === 0n || reserve < minUnits || !poolPrice) {
    return 'EMPTY'
  }
  const { numerator, denominator } = poolPrice
  const units = isToken0 ? numerator : denominator
  const each = isToken0 ? denominator : numerator
  if (units === 0n || each === 0n) {
    return 'EMPTY'
  }
  if (reserve * units * maxImbalance < quoteReserve * each) {
    return 'ONE_SIDED'
  }
  const reserveValue = multiply(route.price, quoteReserve)
  const { price } = route
  return {
    assessed,
    token,
    quoteToken,
    price: { numerator: price.numerator * units, denominator: price.denominator * each },
    reserveValue,
    depth: limitDepth(reserveValue, route),
    route,
    isPast: false,
  }
}

/**
 * Limits the value of a reserve by the depth of its route. The pools of a stablecoin itself do not limit what can be sold for it.
 */
export function limitDepth(value: Rational, { legs, poolSize }: Route): Rational {
  return poolSize && legs.length > 0 && compareRationals(poolSize, value) < 0 ? poolSize : value
}

/** The quote of a pool by what it held in the window, where it has none now: it was emptied, or traded out of its ranges. */
export function findPastQuote(
  assessed: AssessedPool,
  token: string,
  route: Route,
): Quote | undefined {
  const { pool, price, pastPrice, past0, past1 } = assessed
  const past = {
    ...assessed,
    price: price ?? pastPrice,
    pool: { ...pool, reserve0: past0, reserve1: past1 },
  }
  const quote = findQuote(past, token, route)
  return typeof quote === 'string' ? undefined : { ...quote, isPast: true }
}

/** @returns a positive number if `a` is the better quote: by depth, then by the reserve, then by the lower pool address. */
export function compareQuotes(a: Quote, b: Quote): number {
  return (
    compareRationals(a.depth, b.depth) ||
    compareRationals(a.reserveValue, b.reserveValue) ||
    compareStrings(b.assessed.pool.address, a.assessed.pool.address)
  )
}

/** The reserve of a token: the lower of now and the window. */
export function getGuardedReserve(assessed: AssessedPool, token: string): bigint {
  const { pool } = assessed
  const now = token === pool.token0 ? pool.reserve0 : pool.reserve1
  const past = getPastReserve(assessed, token)
  return now < past ? now : past
}

/** The reserve of a token in the window. */
export function getPastReserve({ pool, past0, past1 }: AssessedPool, token: string): bigint {
  return token === pool.token0 ? past0 : past1
}
