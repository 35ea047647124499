import {
  compareQuotes,
  getGuardedReserve,
  getPastReserve,
  limitDepth,
  type Quote,
} from './findQuote.ts'
import { maxBalancePercent } from './getBalancedReserve.ts'
import {
  add,
  compareRationals,
  differsByPercent,
  findHighest,
  multiply,
  type Rational,
  zero,
} from './Rational.ts'

/** How many of the deepest pools are compared. */
const maxCompared = 3
/** Prices that differ more from the median are outliers. */
const maxDifferencePercent = 2n

const noOutliers: readonly Quote[] = []

export interface SelectedQuote {
  /** The weighted median: the deepest pool may have less of the token, so that its price costs less to hold. */
  readonly median: Quote
  /** The median, or that of those that agree with it, where the pool of the median is empty now; undefined for none. */
  readonly quote: Quote | undefined
  /** The depth of the deepest pool that agrees with it, now and in the window. */
  readonly depth: Rational
  readonly pastDepth: Rational
  readonly outliers: readonly Quote[]
}

/**
 * Compares the three pools with the highest weights: those with a price that differs by more than 2 % from the weighted median
 * are outliers.
 *
 * @param quotes - also those of the window, of pools without one now: otherwise a pool that is emptied for a block would leave
 *   the price to any other.
 * @returns undefined without pools.
 */
export function selectQuote(quotes: readonly Quote[]): SelectedQuote | undefined {
  const [first] = quotes
  if (first && quotes.length === 1 && !first.isPast) {
    const { depth } = first
    const pastDepth = getPastDepth(first)
    return { median: first, quote: first, depth, pastDepth, outliers: noOutliers }
  }
  const compared = sortByWeight(quotes).slice(0, maxCompared)
  const median = findMedian(compared)
  if (!median) {
    return undefined
  }
  const isAgreed = (quote: Quote) => agrees(quote, median)
  const present = quotes.some(({ isPast }) => isPast)
    ? sortByWeight(quotes.filter(({ isPast }) => !isPast)).slice(0, maxCompared)
    : compared
  const agreeing = present.filter(isAgreed)
  return {
    median,
    quote: median.isPast ? findMedian(agreeing) : median,
    depth: findHighest(agreeing.map(({ depth }) => depth)) ?? zero,
    pastDepth: findHighest(compared.filter(isAgreed).map(getPastDepth)) ?? zero,
    outliers: present.filter((quote) => !isAgreed(quote)),
  }
}

/** Whether a price differs by at most 2 % from the median. */
export function agrees({ price }: Quote, median: Quote): boolean {
  return !differsByPercent(price, median.price, maxDifferencePercent)
}

/** The quote with the highest weight of each pool, the highest first. */
function sortByWeight(quotes: readonly Quote[]): Quote[] {
  const pools = new Set<string>()
  return quotes
    .toSorted((a, b) => compareRationals(getPastWeight(b), getPastWeight(a)) || compareQuotes(b, a))
    .filter(({ assessed: { pool } }) => {
      const isFirst = !pools.has(pool.address)
      pools.add(pool.address)
      return isFirst
    })
}

/** The deepest quote with the lowest price such that the quotes up to it have at least half of the weight. */
function findMedian(quotes: readonly Quote[]): Quote | undefined {
  if (quotes.length < 2) {
    return quotes[0]
  }
  const total = quotes.map(getPastWeight).reduce(add)
  let sum = zero
  const byPrice = quotes.toSorted(
    (a, b) => compareRationals(a.price, b.price) || compareQuotes(a, b),
  )
  const median = byPrice.find((quote) => {
    sum = add(sum, getPastWeight(quote))
    return compareRationals(multiply(sum, 2n), total) >= 0
  })
  return median && byPrice.findLast(({ price }) => compareRationals(price, median.price) === 0)
}

/** The depth, at most 1.4 times what the pool holds of the token. */
export function getWeight(quote: Quote): Rational {
  return limitByToken(quote, quote.depth)
}

/** The same by what the pool held in the window: a trade or withdrawal of a few blocks removes no price from a comparison. */
function getPastWeight(quote: Quote): Rational {
  const { assessed, token } = quote
  return limitByReserve(quote, getPastDepth(quote), getPastReserve(assessed, token))
}

function getPastDepth({ assessed, quoteToken, route }: Quote): Rational {
  return limitDepth(multiply(route.price, getPastReserve(assessed, quoteToken)), route)
}

/** Limits a value in USD by 1.4 times what the pool holds of the token. */
export function limitByToken(quote: Quote, value: Rational): Rational {
  return limitByReserve(quote, value, getGuardedReserve(quote.assessed, quote.token))
}

function limitByReserve({ price }: Quote, value: Rational, reserve: bigint): Rational {
  const { numerator, denominator } = multiply(price, reserve)
  const limit = { numerator: numerator * maxBalancePercent, denominator: denominator * 100n }
  return compareRationals(limit, value) < 0 ? limit : value
}
