import type { Pool } from './Pool.ts'
import type { Rational } from './Rational.ts'
import { getSpotPrice } from './venues/venues.ts'

/**
 * The most that a reserve counts, in percent of what the other one is worth: at a price that is too low, arbitrage takes no more
 * of a pool than it holds of the token. With a fee of 1 %, a pool at 3 % below the true price then costs 1 % of the depth per
 * hour to hold.
 */
export const maxBalancePercent = 140n

/**
 * The reserve of a token of a pair, at most 1.4 times what the other one is worth at the price of the pool. At a wrong price, all
 * of it is exposed to arbitrage, whereas the reserve of a one-sided pool is not.
 *
 * @returns 0 for an empty side, and for a pool without a price.
 */
export function getBalancedReserve(pool: Pool, isToken0: boolean): bigint {
  const { reserve0, reserve1 } = pool
  const [own, other] = isToken0 ? [reserve0, reserve1] : [reserve1, reserve0]
  if (own === 0n || other === 0n) {
    return 0n
  }
  const price = getSpotPrice(pool)
  if (!price) {
    // Its price needs the decimals of the tokens. At any price, a side is worth a third of the other one at least.
    return pool.kind === 'solidly-stable' ? own : 0n
  }
  return limitByBalance(own, other, price, isToken0)
}

/**
 * Limits a reserve to 1.4 times what the other one is worth.
 *
 * @param price - of a unit of token 0 in units of token 1.
 * @param isToken0 - whether the limited reserve is that of token 0.
 */
export function limitByBalance(
  own: bigint,
  other: bigint,
  { numerator, denominator }: Rational,
  isToken0: boolean,
): bigint {
  const [units, each] = isToken0 ? [denominator, numerator] : [numerator, denominator]
  const limit = each === 0n ? 0n : (other * units * maxBalancePercent) / (each * 100n)
  return limit < own ? limit : own
}
