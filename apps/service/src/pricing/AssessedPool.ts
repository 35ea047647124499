import type { Pool } from './Pool.ts'
import type { PoolHistory } from './PoolHistory.ts'
import { compareRationals, differsByPercent, type Rational } from './Rational.ts'
import { timeWeightedMedian } from './timeWeightedMedian.ts'
import { getSpotPrice } from './venues/venues.ts'

/** Why a pool does not price a token. */
export type RejectionReason =
  /** Created within the window. */
  | 'YOUNG'
  /** A side is empty, or was for half of the window. */
  | 'EMPTY'
  /** The side of the token is worth too little beside the other one. */
  | 'ONE_SIDED'
  /** The other token has no route to USD that is short enough and does not pass the token. */
  | 'NO_ROUTE'
  /** Its price differs from that of the deepest pools. */
  | 'OUTLIER'

/** A pool at a point, with a price and reserves that the states of a few blocks cannot change. */
export interface AssessedPool {
  /** The state at the point. */
  readonly pool: Pool
  /** The price of a smallest unit of token 0 in smallest units of token 1; undefined for an empty pool. */
  readonly price: Rational | undefined
  /** Whether `price` is that of the window, because the current one left it. */
  readonly isAveraged: boolean
  /** The time-weighted medians of the reserves in the window. */
  readonly past0: bigint
  readonly past1: bigint
  readonly isSeasoned: boolean
  readonly createdAt: number | undefined
}

/** A current price that differs more from the median of the window is replaced by it. */
const maxPriceChangePercent = 2n

/**
 * Assesses a pool by its states in the window before a point.
 *
 * - The depth is the lower of now and the time-weighted median of the window: liquidity counts once it was there for half
 *   of the window, and as long as it is there.
 * - The price is the current one while it is within 2 % of the time-weighted median, and that median otherwise.
 */
export function assessPool(history: PoolHistory): AssessedPool {
  const { isSeasoned, createdAt, samples, ...pool } = history
  const current = getSpotPrice(pool)
  const medianReserve = (low: 'low0' | 'low1', reserve: bigint) =>
    timeWeightedMedian(
      samples.map((sample) => ({ value: sample[low], seconds: sample.seconds })),
      (a, b) => (a < b ? -1 : a > b ? 1 : 0),
    ) ?? reserve
  const prices = samples.flatMap(({ seconds, low0: _, low1: __, ...state }) => {
    const value = getSpotPrice({ ...pool, ...state })
    return value ? [{ value, seconds }] : []
  })
  const median = timeWeightedMedian(prices, compareRationals)
  const isAveraged =
    median !== undefined &&
    current !== undefined &&
    differsByPercent(current, median, maxPriceChangePercent)
  return {
    ...{ pool, isSeasoned, createdAt, isAveraged },
    price: isAveraged ? median : current,
    past0: medianReserve('low0', pool.reserve0),
    past1: medianReserve('low1', pool.reserve1),
  }
}
