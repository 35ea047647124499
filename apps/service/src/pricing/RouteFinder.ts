import { compareBigints, compareStrings } from '../compare.ts'
import type { AssessedPool } from './AssessedPool.ts'
import { findPastQuote, findQuote, getPastReserve, limitDepth, type Quote } from './findQuote.ts'
import { getOtherToken } from './Pool.ts'
import { compareRationals, findHighest, multiply, type Rational } from './Rational.ts'
import type { FoundRoute, RejectedPool, Route } from './Route.ts'
import { agrees, getWeight, limitByToken, type SelectedQuote, selectQuote } from './selectQuote.ts'

/** The most pools of a route. */
export const maxLegs = 4

/**
 * How many pairs of a token with other tokens than quote tokens may price it, by the most legs of the route: few for tokens that
 * routes pass, as anyone can create trees of tokens and pools. The pools of 169 tokens at most are searched for one. A last leg
 * is always one of a quote token.
 */
const maxOtherCandidates = [0, 0, 4, 4, 8] as const

/**
 * A token is priced by its pools with quote tokens alone, unless another pool holds so many times their depth of the token: a
 * hundredth of it is what an attack must cost at least, and arbitrage takes what they hold at a wrong price.
 */
const maxOtherShare = 100n

/** The pools of each token that may price it, by its address. */
export type PoolsByToken = ReadonlyMap<string, readonly AssessedPool[]>

interface RouteFinderOptions {
  /**
   * The quote tokens, whose pools are preferred. Without them, all pools compete, and any number of a token is searched:
   * so are those of quote tokens with each other.
   */
  readonly quoteTokens?: ReadonlySet<string>
  /** Called with each token whose pools are needed, but are not known. By default, it has none. */
  readonly onMissing?: (token: string) => void
}

export const noRoute: FoundRoute = { route: undefined, rejected: [] }

/**
 * Finds the deepest route to USD of tokens at one point.
 *
 * The route of a token with at most `n` legs is the selected quote of its pools (see `selectQuote`), each with the route of
 * its other token that has at most `n - 1` legs. It depends on nothing else, so that a token has the same price in every
 * request. Each token is solved once per number of legs, so that the work is proportional to the number of pools.
 *
 * Pools with quote tokens count alone, because no arbitrage corrects the price of a pool with a token that only its maker can
 * transfer. Where another pool holds more than a hundred times their depth of the token, all of them are compared.
 */
export class RouteFinder {
  readonly #pools: PoolsByToken
  readonly #known: ReadonlyMap<string, FoundRoute>
  readonly #options: RouteFinderOptions
  /** By the most legs, then by token. */
  readonly #found = Array.from(
    { length: maxLegs + 1 },
    () => new Map<string, FoundRoute | undefined>(),
  )

  /** @param known - tokens with routes that are not searched, by address. */
  constructor(
    pools: PoolsByToken,
    known: ReadonlyMap<string, FoundRoute>,
    options: RouteFinderOptions = {},
  ) {
    this.#pools = pools
    this.#known = known
    this.#options = options
  }

  /**
   * The route of a token with at most `legs` legs.
   *
   * @returns undefined if it depends on pools that are not known.
   */
  find(token: string, legs = maxLegs): FoundRoute | undefined {
    const known = this.#known.get(token)
    if (known) {
      return (known.route?.legs.length ?? 0) <= legs ? known : noRoute
    }
    if (legs === 0) {
      return noRoute
    }
    const ofLegs = this.#found[legs]
    const earlier = ofLegs?.get(token)
    if (earlier || ofLegs?.has(token)) {
      return earlier
    }
    const found = this.#search(token, legs)
    ofLegs?.set(token, found)
    return found
  }

  #search(token: string, legs: number): FoundRoute | undefined {
    const { quoteTokens, onMissing } = this.#options
    const pools = this.#pools.get(token)
    if (!pools && onMissing) {
      onMissing(token)
      return undefined
    }
    // Feeds are stored with the pools.
    const exchanges = (pools ?? []).filter(({ pool }) => pool.kind !== 'chainlink')
    const isPreferred = ({ pool }: AssessedPool) =>
      quoteTokens?.has(getOtherToken(token, pool)) ?? true
    const byQuoteTokens = exchanges.filter(isPreferred)
    const least = this.#findLeastWeight(token, legs, byQuoteTokens)
    const preferred = this.#quote(token, legs, byQuoteTokens, least)
    const selected = preferred && selectQuote(preferred.quotes)
    const byOthers = selectCandidates(
      token,
      exchanges.filter((each) => !isPreferred(each)),
      maxOtherCandidates[legs] ?? 0,
    )
    const isDeep = selected !== undefined && isDeepEnough(token, selected, byOthers)
    if (preferred && isDeep && selected.quote) {
      return toFoundRoute(selected, preferred.rejected)
    }
    // No less than what was rejected as thin itself.
    const leastOfOthers = findHighest([
      ...(least ? [multiply(least, maxOtherShare)] : []),
      ...(preferred?.thin.map(getWeight) ?? []),
    ])
    const others = this.#quote(token, legs, byOthers, leastOfOthers)
    if (!preferred || !others) {
      return undefined
    }
    // Where pools with quote tokens were deep enough until they were emptied, others price the token only if they agree.
    const counted = isDeep
      ? others.quotes.filter((quote) => !quote.isPast && agrees(quote, selected.median))
      : others.quotes
    return toFoundRoute(selectQuote([...preferred.quotes, ...counted]), [
      ...preferred.rejected,
      ...others.rejected,
    ])
  }

  /**
   * Finds the weight that a quote must have: that of the lowest reserve that a rank may stand for of the last pool of a pair that
   * is loaded, in USD. A pool of the pair that is not loaded may be deeper than a quote with less. Of several quote tokens with a
   * route, the highest counts.
   */
  #findLeastWeight(
    token: string,
    legs: number,
    pools: readonly AssessedPool[],
  ): Rational | undefined {
    const least: Rational[] = []
    for (const { pool, isSeasoned, leastPairRank } of pools) {
      const route =
        isSeasoned && leastPairRank && this.find(getOtherToken(token, pool), legs - 1)?.route
      if (route && !passes(route, token)) {
        least.push(limitDepth(multiply(route.price, 1n << BigInt(leastPairRank - 1)), route))
      }
    }
    return findHighest(least)
  }

  /**
   * Quotes a token by some of its pools.
   *
   * @param least - the weight that a quote must have.
   * @returns undefined if that depends on pools that are not known.
   */
  #quote(
    token: string,
    legs: number,
    pools: readonly AssessedPool[],
    least: Rational | undefined,
  ): Quotes | undefined {
    const quotes: Quote[] = []
    const thin: Quote[] = []
    const rejected: RejectedPool[] = []
    let isComplete = true
    for (const assessed of pools) {
      // The other tokens of young pools are not searched.
      const found = assessed.isSeasoned
        ? this.find(getOtherToken(token, assessed.pool), legs - 1)
        : noRoute
      isComplete &&= found !== undefined
      const route = found?.route && !passes(found.route, token) ? found.route : undefined
      const quote = findQuote(assessed, token, route)
      if (typeof quote === 'string') {
        rejected.push({ assessed, reason: quote })
        const past = route && findPastQuote(assessed, token, route)
        if (past) {
          quotes.push(past)
        }
      } else if (isThin(quote, least)) {
        rejected.push({ assessed, reason: 'THIN' })
        thin.push(quote)
      } else {
        quotes.push(quote)
      }
    }
    return isComplete ? { quotes, thin, rejected } : undefined
  }
}

/** The quotes of a token, and the pools that do not price it. */
interface Quotes {
  /** Also those of the window, of pools without a quote now. */
  readonly quotes: readonly Quote[]
  /** Those that pools which are not loaded may displace. */
  readonly thin: readonly Quote[]
  readonly rejected: readonly RejectedPool[]
}

function passes({ legs }: Route, token: string): boolean {
  return legs.some(({ tokens }) => tokens.includes(token))
}

/**
 * Whether a pool that is not loaded may displace a quote: a deeper one of a pair, or one with another token that holds more than
 * a hundred times as much of the token.
 *
 * @param least - the weight that a quote must have.
 */
function isThin(quote: Quote, least: Rational | undefined): boolean {
  if (least && compareRationals(getWeight(quote), least) < 0) {
    return true
  }
  const { leastRank } = quote.assessed
  if (!leastRank) {
    return false
  }
  const held = multiply(limitByToken(quote, quote.reserveValue), maxOtherShare)
  return compareRationals(held, multiply(quote.price, 1n << BigInt(leastRank - 1))) < 0
}

function toFoundRoute(
  selected: SelectedQuote | undefined,
  rejected: readonly RejectedPool[],
): FoundRoute {
  const route = selected?.quote && toRoute(selected.quote, selected.depth)
  const outliers = (selected?.outliers ?? []).map(({ assessed }): RejectedPool => {
    return { assessed, reason: 'OUTLIER' }
  })
  return { route, rejected: outliers.length > 0 ? [...outliers, ...rejected] : rejected }
}

/**
 * Whether no other pool holds too much of a token beside the pools with quote tokens. What others hold is valued by the latter:
 * the token is the one asset in them that has a price elsewhere. All count by what they held in the window.
 */
function isDeepEnough(
  token: string,
  { median, pastDepth }: SelectedQuote,
  others: readonly AssessedPool[],
): boolean {
  const limit = multiply(pastDepth, maxOtherShare)
  return others.every(
    (assessed) =>
      !assessed.isSeasoned ||
      compareRationals(multiply(median.price, getPastReserve(assessed, token)), limit) <= 0,
  )
}

/**
 * The pairs of the pools with the largest reserves of a token: one of each pool, then further ones of the same pools, so that a
 * pool of many tokens displaces as few as any. Young pools, which do not price a token, are added.
 */
function selectCandidates(
  token: string,
  pools: readonly AssessedPool[],
  limit: number,
): readonly AssessedPool[] {
  if (pools.length <= limit) {
    return pools
  }
  const sorted = pools
    .filter(({ isSeasoned }) => isSeasoned)
    .toSorted(
      (a, b) =>
        compareBigints(getPastReserve(b, token), getPastReserve(a, token)) ||
        compareStrings(a.pool.address, b.pool.address),
    )
  const pairs = [...Map.groupBy(sorted, ({ pool }) => pool.address).values()]
  const most = Math.max(0, ...pairs.map(({ length }) => length))
  const inTurns = Array.from({ length: most }, (_, turn) =>
    pairs.flatMap((ofPool) => ofPool[turn] ?? []),
  ).flat()
  return [...inTurns.slice(0, limit), ...pools.filter(({ isSeasoned }) => !isSeasoned)]
}

function toRoute({ assessed, token, quoteToken, price, route }: Quote, depth: Rational): Route {
  const { kind, address } = assessed.pool
  const tokens = [token, quoteToken] as const
  const leg = { type: kind, address, tokens, assessed, quotePrice: route.price }
  return { price, poolSize: depth, legs: [leg, ...route.legs] }
}
