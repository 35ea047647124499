import { compareQuotes, getGuardedReserve, type Quote } from './findQuote.ts'
import { compareRationals, differsByPercent, multiply, type Rational } from './Rational.ts'

/** How many of the deepest pools are compared. */
const maxCompared = 3
/** Prices that differ more from the median are outliers. */
const maxDifferencePercent = 2n
/**
 * The most that the depth of a pool counts, in percent of what it holds of the token: at a price that is too low, arbitrage takes no more.
 * With a fee of 1 %, a pool at 3 % below the true price then costs 1 % of the depth per hour to hold.
 */
const maxWeightPercent = 140n

const noOutliers: readonly Quote[] = []

/**
 * Selects the quote of the deepest pool that agrees with the others: of the three deepest pools, those with a price that
 * differs by more than 2 % from their depth-weighted median are outliers.
 *
 * @returns undefined without quotes.
 */
export function selectQuote(
  quotes: readonly Quote[],
): { readonly quote: Quote; readonly outliers: readonly Quote[] } | undefined {
  const [first] = quotes
  if (!first || quotes.length === 1) {
    return first && { quote: first, outliers: noOutliers }
  }
  const deepest = findDeepestOfPools(quotes).slice(0, maxCompared)
  const median = findMedian(deepest)
  if (!median) {
    return undefined
  }
  const isOutlier = ({ price }: Quote) =>
    differsByPercent(price, median.price, maxDifferencePercent)
  // The median is among them.
  const quote = deepest.find((each) => !isOutlier(each)) ?? median
  return { quote, outliers: deepest.filter(isOutlier) }
}

/** The deepest quote of each pool, deepest first. */
function findDeepestOfPools(quotes: readonly Quote[]): Quote[] {
  const pools = new Set<string>()
  return quotes
    .toSorted((a, b) => compareQuotes(b, a))
    .filter(({ assessed: { pool } }) => {
      const isFirst = !pools.has(pool.address)
      pools.add(pool.address)
      return isFirst
    })
}

/** The lowest price such that the quotes up to it have at least half of the weight. */
function findMedian(quotes: readonly Quote[]): Quote | undefined {
  if (quotes.length < 2) {
    return quotes[0]
  }
  const total = quotes.map(getWeight).reduce(add)
  let sum: Rational = { numerator: 0n, denominator: 1n }
  for (const quote of quotes.toSorted((a, b) => compareRationals(a.price, b.price))) {
    sum = add(sum, getWeight(quote))
    if (compareRationals(multiply(sum, 2n), total) >= 0) {
      return quote
    }
  }
  return quotes[0]
}

/** The depth, limited by the reserve of the token. */
function getWeight({ assessed, token, price, depth }: Quote): Rational {
  const { numerator, denominator } = multiply(price, getGuardedReserve(assessed, token))
  const limit = { numerator: numerator * maxWeightPercent, denominator: denominator * 100n }
  return compareRationals(limit, depth) < 0 ? limit : depth
}

function add(a: Rational, b: Rational): Rational {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }
}
