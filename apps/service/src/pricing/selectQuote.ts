import { compareQuotes, getGuardedReserve, type Quote } from './findQuote.ts'
import { maxBalancePercent } from './getBalancedReserve.ts'
import { add, compareRationals, differsByPercent, multiply, type Rational } from './Rational.ts'

/** How many of the deepest pools are compared. */
const maxCompared = 3
/** Prices that differ more from the median are outliers. */
const maxDifferencePercent = 2n

const noOutliers: readonly Quote[] = []

interface SelectedQuote {
  /** The weighted median: the deepest pool may have less of the token, so that its price costs less to hold. */
  readonly quote: Quote
  /** The depth of the deepest pool that agrees with it. */
  readonly depth: Rational
  readonly outliers: readonly Quote[]
}

/**
 * Compares the three pools with the highest weights: those with a price that differs by more than 2 % from the weighted median
 * are outliers.
 *
 * @returns undefined without quotes.
 */
export function selectQuote(quotes: readonly Quote[]): SelectedQuote | undefined {
  const [first] = quotes
  if (!first || quotes.length === 1) {
    return first && { quote: first, depth: first.depth, outliers: noOutliers }
  }
  const compared = sortByWeight(quotes).slice(0, maxCompared)
  const quote = findMedian(compared)
  if (!quote) {
    return undefined
  }
  const isOutlier = ({ price }: Quote) => differsByPercent(price, quote.price, maxDifferencePercent)
  const depth = compared
    .filter((each) => !isOutlier(each))
    .reduce(
      (most, each) => (compareRationals(each.depth, most) > 0 ? each.depth : most),
      quote.depth,
    )
  return { quote, depth, outliers: compared.filter(isOutlier) }
}

/** The quote with the highest weight of each pool, the highest first. */
function sortByWeight(quotes: readonly Quote[]): Quote[] {
  const pools = new Set<string>()
  return quotes
    .toSorted((a, b) => compareRationals(getWeight(b), getWeight(a)) || compareQuotes(b, a))
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
  const total = quotes.map(getWeight).reduce(add)
  let sum: Rational = { numerator: 0n, denominator: 1n }
  const byPrice = quotes.toSorted(
    (a, b) => compareRationals(a.price, b.price) || compareQuotes(a, b),
  )
  const median = byPrice.find((quote) => {
    sum = add(sum, getWeight(quote))
    return compareRationals(multiply(sum, 2n), total) >= 0
  })
  return median && byPrice.findLast(({ price }) => compareRationals(price, median.price) === 0)
}

/** The depth, at most 1.4 times what the pool holds of the token. */
export function getWeight(quote: Quote): Rational {
  return limitByToken(quote, quote.depth)
}

/** Limits a value in USD by 1.4 times what the pool holds of the token. */
export function limitByToken({ assessed, token, price }: Quote, value: Rational): Rational {
  const { numerator, denominator } = multiply(price, getGuardedReserve(assessed, token))
  const limit = { numerator: numerator * maxBalancePercent, denominator: denominator * 100n }
  return compareRationals(limit, value) < 0 ? limit : value
}
