import { compareBigints, compareStrings } from '../compare.ts'
import type { AssessedPool } from './AssessedPool.ts'
import { findPastQuote, findQuote, getPastReserve, limitDepth, type Quote } from './findQuote.ts'
import { compareRationals, findHighest, multiply, type Rational } from './Rational.ts'
import type { FoundRoute, RejectedPool, Route } from './Route.ts'
import { agrees, getWeight, limitByToken, type SelectedQuote, selectQuote } from './selectQuote.ts'

/** The most pools of a route. */
export const maxLegs = 4

/** How many pools may price a token: of all of its pools, and of those with each quote token. */
export const maxPools = 8

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

const none: FoundRoute = { route: undefined, rejected: [] }

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
      return (known.route?.legs.length ?? 0) <= legs ? known : none
    }
    if (legs === 0) {
      return none
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
    const exchanges = pools?.some(isFeed) ? pools.filter((each) => !isFeed(each)) : (pools ?? [])
    const isPreferred = ({ pool }: AssessedPool) => quoteTokens?.has(getOther(token, pool)) ?? true
    // Most tokens have no others, and a wallet thousands of tokens, so that the usual case makes no copies.
    const hasOthers = !exchanges.every(isPreferred)
    const byQuoteTokens = hasOthers ? exchanges.filter(isPreferred) : exchanges
    const all = this.#quote(token, legs, byQuoteTokens)
    const least = this.#findLeastWeight(token, legs, byQuoteTokens)
    const preferred = all && withoutThin(all, (quote) => isThin(quote, least))
    if (!hasOthers) {
      return select(preferred)
    }
    const byAllOthers = exchanges.filter((each) => !isPreferred(each))
    const byOthers = selectCandidates(token, byAllOthers, maxOtherCandidates[legs] ?? 0)
    const selected = preferred && selectQuote(preferred.quotes, preferred.emptied)
    const isDeep = selected !== undefined && isDeepEnough(token, selected, byOthers)
    if (isDeep && selected.quote) {
      return select(preferred)
    }
    const allOthers = this.#quote(token, legs, byOthers)
    if (!all || !preferred || !allOthers) {
      return undefined
    }
    // No less than what was rejected as thin itself.
    const thin = all.quotes.filter((quote) => !preferred.quotes.includes(quote))
    const leastOfOthers = findHighest([
      ...(least ? [multiply(least, maxOtherShare)] : []),
      ...thin.map(getWeight),
    ])
    const others = withoutThin(allOthers, (quote) => isThin(quote, leastOfOthers))
    // Where pools with quote tokens were deep enough until they were emptied, others price the token only if they agree.
    const counted = isDeep
      ? others.quotes.filter((quote) => agrees(quote, selected.median))
      : others.quotes
    return select({
      quotes: [...preferred.quotes, ...counted],
      emptied: isDeep ? preferred.emptied : [...preferred.emptied, ...others.emptied],
      rejected: [...preferred.rejected, ...others.rejected],
    })
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
      const route = isSeasoned && leastPairRank && this.find(getOther(token, pool), legs - 1)?.route
      if (route && !route.legs.some(({ tokens }) => tokens.includes(token))) {
        least.push(limitDepth(multiply(route.price, 1n << BigInt(leastPairRank - 1)), route))
      }
    }
    return findHighest(least)
  }

  /** Quotes a token by some of its pools; undefined if that depends on pools that are not known. */
  #quote(token: string, legs: number, pools: readonly AssessedPool[]): Quotes | undefined {
    const quotes: Quote[] = []
    const emptied: Quote[] = []
    const rejected: RejectedPool[] = []
    let isComplete = true
    for (const assessed of pools) {
      if (!assessed.isSeasoned) {
        rejected.push({ assessed, reason: 'YOUNG' })
        continue
      }
      const found = this.find(getOther(token, assessed.pool), legs - 1)
      isComplete &&= found !== undefined
      const route = found?.route
      const isCycle = route?.legs.some(({ tokens }) => tokens.includes(token))
      const quote = route && !isCycle ? findQuote(assessed, token, route) : 'NO_ROUTE'
      if (typeof quote !== 'string') {
        quotes.push(quote)
        continue
      }
      rejected.push({ assessed, reason: quote })
      const past = route && !isCycle ? findPastQuote(assessed, token, route) : undefined
      if (past) {
        emptied.push(past)
      }
    }
    return isComplete ? { quotes, emptied, rejected } : undefined
  }
}

function withoutThin(found: Quotes, isThin: (quote: Quote) => boolean): Quotes {
  const { quotes, emptied, rejected } = found
  if (!quotes.some(isThin)) {
    return found
  }
  const thin = quotes.filter(isThin).map(({ assessed }): RejectedPool => {
    return { assessed, reason: 'THIN' }
  })
  return {
    quotes: quotes.filter((quote) => !isThin(quote)),
    emptied,
    rejected: [...thin, ...rejected],
  }
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
  const held = multiply(limitByToken(quote, quote.leg), maxOtherShare)
  return compareRationals(held, multiply(quote.price, 1n << BigInt(leastRank - 1))) < 0
}

function isFeed({ pool }: AssessedPool): boolean {
  return pool.kind === 'chainlink'
}

/** The quotes of a token, and the pools without one. */
interface Quotes {
  readonly quotes: readonly Quote[]
  /** Those of the window, of pools without one now. */
  readonly emptied: readonly Quote[]
  readonly rejected: readonly RejectedPool[]
}

function select(found: Quotes | undefined): FoundRoute | undefined {
  if (!found) {
    return undefined
  }
  const { quotes, emptied, rejected } = found
  const selected = selectQuote(quotes, emptied)
  const route = selected?.quote && toRoute(selected.quote, selected.depth)
  if (!selected || selected.outliers.length === 0) {
    return { route, rejected }
  }
  const outliers = selected.outliers.map(({ assessed }): RejectedPool => {
    return { assessed, reason: 'OUTLIER' }
  })
  return { route, rejected: [...outliers, ...rejected] }
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

/** The other token of a pair. */
export function getOther(
  token: string,
  { token0, token1 }: Pick<AssessedPool['pool'], 'token0' | 'token1'>,
): string {
  return token === token0 ? token1 : token0
}

function toRoute({ assessed, token, quoteToken, price, route }: Quote, depth: Rational): Route {
  const { kind, address } = assessed.pool
  const tokens = [token, quoteToken] as const
  const leg = { type: kind, address, tokens, assessed, quotePrice: route.price }
  return { price, poolSize: depth, legs: [leg, ...route.legs] }
}
