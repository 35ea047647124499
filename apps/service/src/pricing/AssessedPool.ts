import { compareBigints } from '../compare.ts'
import type { Pool, PoolState } from './Pool.ts'
import type { PoolHistory, PoolSample } from './PoolHistory.ts'
import { compareRationals, type Rational, zero } from './Rational.ts'
import { getSpotPrice } from './venues/venues.ts'
import { weightedMedian } from './weightedMedian.ts'

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
  /** Deeper pools of its pair may not be among those that are loaded. */
  | 'THIN'

/** A pool at a point, with a price and reserves that the states of a few blocks cannot change. */
export interface AssessedPool {
  /** The state at the point. */
  readonly pool: Pool
  /** The price of a smallest unit of token 0 in smallest units of token 1; undefined for an empty pool. */
  readonly price: Rational | undefined
  /** Whether `price` is at the bound around that of the window, because the current one is beyond it. */
  readonly isBounded: boolean
  /** The medians of the window. */
  readonly pastPrice: Rational | undefined
  readonly past0: bigint
  readonly past1: bigint
  readonly isSeasoned: boolean
  /** Whether it is the same at later points until the pool changes: it did not change in the window, and is not young. */
  readonly isSteady: boolean
  readonly createdBlock: number | undefined
  /** See {@link PoolHistory}. */
  readonly leastRank: number | undefined
  readonly leastPairRank: number | undefined
}

/** The most percent that a current price counts above the median of the window, or the median above it. */
const maxPriceChangePercent = 1n

/**
 * Assesses a pool by its states in the window before a point.
 *
 * - The depth is the lower of now and the time-weighted median of the window: liquidity counts once it was there for half
 *   of the window, and as long as it is there. Both sides must be there together, as each alone is exposed to no arbitrage.
 * - The price is the current one, within 1 % of the median of the window. Prices of the window have the weight of the time in
 *   force and of the product of both reserves, at most that of their medians: a price at which little could be traded does not
 *   count, and more than the usual reserves count no more.
 */
export function assessPool(history: PoolHistory): AssessedPool {
  const { pool, isSeasoned, createdBlock, samples, leastRank, leastPairRank } = history
  const current = getSpotPrice(pool)
  const { pastPrice, past0, past1 } =
    samples.length > 0
      ? assessWindow(pool, samples, current)
      : { pastPrice: current, past0: pool.reserve0, past1: pool.reserve1 }
  const { price, isBounded } = choosePrice(current, pastPrice)
  return {
    pool,
    price,
    isBounded,
    pastPrice,
    past0,
    past1,
    isSeasoned,
    isSteady: isSeasoned && samples.length === 0,
    createdBlock,
    leastRank,
    leastPairRank,
  }
}

/** The medians of the window. */
function assessWindow(
  pool: Pool,
  samples: readonly PoolSample[],
  current: Rational | undefined,
): Pick<AssessedPool, 'pastPrice' | 'past0' | 'past1'> {
  const priced = samples.map(({ seconds, low0, low1, ...state }) => {
    return { weight: BigInt(seconds), low0, low1, price: getSpotPrice({ ...pool, ...state }) }
  })
  const medianReserve = (low: 'low0' | 'low1', reserve: bigint) =>
    weightedMedian(
      priced.map((sample) => ({ value: sample[low], weight: sample.weight })),
      compareBigints,
    ) ?? reserve
  const median0 = medianReserve('low0', pool.reserve0)
  const median1 = medianReserve('low1', pool.reserve1)
  const maxDepth = median0 * median1
  const prices = priced.flatMap(({ weight, low0, low1, price }) => {
    const depth = low0 * low1
    return price ? [{ value: price, weight: weight * (depth < maxDepth ? depth : maxDepth) }] : []
  })
  const pastPrice = weightedMedian(prices, compareRationals) ?? current
  const lowerSides = priced.map(({ weight, low0, low1, price }) => {
    return { value: getLowerSide(low0, low1, price), weight }
  })
  const lowerSide = weightedMedian(lowerSides, compareRationals)
  const lowerMedian = getLowerSide(median0, median1, pastPrice)
  // The medians of both sides may be of different times.
  const reduce = (median: bigint) =>
    lowerSide && compareRationals(lowerSide, lowerMedian) < 0
      ? (median * lowerSide.numerator * lowerMedian.denominator) /
        (lowerSide.denominator * lowerMedian.numerator)
      : median
  return { pastPrice, past0: reduce(median0), past1: reduce(median1) }
}

/** What the side of a pool that is worth less is worth, in units of token 1. */
function getLowerSide(reserve0: bigint, reserve1: bigint, price: Rational | undefined): Rational {
  const { numerator, denominator } = price ?? zero
  const side0 = reserve0 * numerator
  const side1 = reserve1 * denominator
  return { numerator: side0 < side1 ? side0 : side1, denominator }
}

/**
 * Assesses a pool in another state than before, with the medians of the window as they were.
 *
 * @param isGuarded - whether there is a window.
 */
export function updatePool(
  assessed: AssessedPool,
  state: PoolState,
  isGuarded: boolean,
): AssessedPool {
  const { sqrtPrice: _, price0: __, price1: ___, ...unchanged } = assessed.pool
  const pool = { ...unchanged, ...state }
  if (!isGuarded) {
    return assessPool({ ...assessed, pool, samples: [] })
  }
  const price = choosePrice(getSpotPrice(pool), assessed.pastPrice)
  return { ...assessed, ...price, pool, isSteady: false }
}

/** Bounds the current price, by the same factor in both directions, so that the price of the other token is its inverse. */
function choosePrice(
  current: Rational | undefined,
  pastPrice: Rational | undefined,
): Pick<AssessedPool, 'price' | 'isBounded'> {
  if (!current || !pastPrice || current === pastPrice) {
    return { price: current, isBounded: false }
  }
  const { numerator, denominator } = pastPrice
  const more = 100n + maxPriceChangePercent
  const high = { numerator: numerator * more, denominator: denominator * 100n }
  const low = { numerator: numerator * 100n, denominator: denominator * more }
  if (compareRationals(current, high) > 0) {
    return { price: high, isBounded: true }
  }
  return compareRationals(current, low) < 0
    ? { price: low, isBounded: true }
    : { price: current, isBounded: false }
}
