import type { RejectionReason } from './AssessedPool.ts'
import { limitByBalance } from './getBalancedReserve.ts'
import { compareRationals, differsByPercent, product, type Rational } from './Rational.ts'
import type { Route } from './Route.ts'
import { type PoolsByToken, RouteFinder } from './RouteFinder.ts'

/** The stablecoins of a chain at a point. */
export interface Anchors {
  /** The routes of those that count as 1 USD, by address; without pools. */
  readonly routes: ReadonlyMap<string, Route>
  /** Those that are priced by their pools. */
  readonly depegged: ReadonlySet<string>
}

/** A stablecoin that differs more from the others, or by its feed from 1 USD, does not count as 1 USD. */
const maxDifferencePercent = 2n
/** The anchors at 1 USD have at least this part of the depth of all. */
const minShare = 4n
/**
 * Why the pools of a stablecoin that was not compared do not show that it has its peg: one that loses it leaves the ranges of its
 * pools, which are empty then, and anyone can displace thin ones.
 */
const unproven: ReadonlySet<RejectionReason> = new Set(['THIN', 'EMPTY', 'ONE_SIDED'])

/**
 * Finds which stablecoins count as 1 USD: those within 2 % of the highest value that stablecoins with at least a quarter
 * of all depth reach. A stablecoin is redeemed for at most 1 USD, so that of two that disagree the lower one lost its peg,
 * and a thin one that is traded above the others moves nothing.
 *
 * Values are those of routes to the deepest stablecoin. The prices of pools are guarded by their window, so that a peg is
 * not lost within a few blocks. A stablecoin without such a route is not compared: a chain with a single stablecoin
 * cannot detect that it lost its peg. It does not count as 1 USD if its pools with quote tokens are empty, one-sided or thin,
 * unless its feed does.
 *
 * A feed is a second source: a stablecoin whose feed differs from 1 USD is not compared either. It is priced by its pools
 * like the others, and by its feed if no stablecoin is left.
 *
 * @param pools - of two quote tokens, including the stablecoins.
 * @param stablecoins - decimals by address.
 * @param feeds - the values of stablecoins in USD, as far as they have a feed with a recent value.
 */
export function findAnchors(
  pools: PoolsByToken,
  stablecoins: ReadonlyMap<string, number>,
  feeds: ReadonlyMap<string, Rational> = new Map(),
): Anchors {
  const fallen = [...stablecoins.keys()].filter((token) => {
    const value = feeds.get(token)
    return value && differsByPercent(value, one, maxDifferencePercent)
  })
  if (fallen.length > 0) {
    const others = new Map([...stablecoins].filter(([token]) => !fallen.includes(token)))
    const feedsOfOthers = new Map([...feeds].filter(([token]) => others.has(token)))
    const { routes, depegged } = findAnchors(pools, others, feedsOfOthers)
    return {
      routes: others.size > 0 ? routes : toFeedRoutes(feeds, stablecoins),
      depegged: new Set([...depegged, ...fallen]),
    }
  }
  const pegged = (tokens: Iterable<string>) =>
    new Map([...tokens].map((token) => [token, peggedRoute(stablecoins.get(token) ?? 0)]))
  const held = getHeld(pools, stablecoins)
  const root = stablecoins.size > 1 ? findDeepest(held) : undefined
  if (root === undefined) {
    return { routes: pegged(stablecoins.keys()), depegged: new Set() }
  }
  const known = new Map(
    [...pegged([root])].map(([token, route]) => [token, { route, rejected: [] }]),
  )
  const finder = new RouteFinder(pools, known)
  const values: Value[] = [{ token: root, value: one, depth: held.get(root) ?? zero }]
  const depegged = new Set<string>()
  for (const [token, decimals] of stablecoins) {
    const { route, rejected = [] } = token === root ? {} : (finder.find(token) ?? {})
    if (route) {
      const { numerator, denominator } = route.price
      const value = { numerator: numerator * 10n ** BigInt(decimals), denominator }
      values.push({ token, value, depth: product(held.get(token) ?? zero, value) })
    } else if (!feeds.has(token) && rejected.some(({ reason }) => unproven.has(reason))) {
      depegged.add(token)
    }
  }
  const reference = findReference(values)
  for (const { token, value } of values) {
    if (differsByPercent(value, reference, maxDifferencePercent)) {
      depegged.add(token)
    }
  }
  return {
    routes: pegged([...stablecoins.keys()].filter((token) => !depegged.has(token))),
    depegged,
  }
}

/** A stablecoin, its value in the root, and that of what its pools hold. */
interface Value {
  readonly token: string
  readonly value: Rational
  readonly depth: Rational
}

/** The highest value such that the depth of those at or above it is at least a quarter of all. */
function findReference(values: readonly Value[]): Rational {
  // Exact sums of fractions with different denominators; few stablecoins, so that they stay short.
  const scale = values.reduce((product, { depth }) => product * depth.denominator, 1n)
  const scaled = values.map(({ value, depth }) => ({
    value,
    depth: (depth.numerator * scale) / depth.denominator,
  }))
  const total = scaled.reduce((sum, { depth }) => sum + depth, 0n)
  let sum = 0n
  let reference: Rational = { numerator: 1n, denominator: 1n }
  for (const { value, depth } of scaled.toSorted((a, b) => compareRationals(b.value, a.value))) {
    sum += depth
    reference = value
    if (sum * minShare >= total) {
      break
    }
  }
  return reference
}

/**
 * How many whole tokens of each stablecoin its pools hold: the medians of the window, at most 1.4 times what the other token is
 * worth, so that arbitrage can take them at a wrong price. A pool of several tokens counts once, by the pair that shows the most.
 */
function getHeld(
  pools: PoolsByToken,
  stablecoins: ReadonlyMap<string, number>,
): Map<string, Rational> {
  return new Map(
    [...stablecoins].map(([token, decimals]) => {
      const byPool = new Map<string, bigint>()
      for (const { pool, past0, past1, pastPrice, isSeasoned } of pools.get(token) ?? []) {
        if (isSeasoned && pastPrice) {
          const isToken0 = token === pool.token0
          const [own, other] = isToken0 ? [past0, past1] : [past1, past0]
          const reserve = limitByBalance(own, other, pastPrice, isToken0)
          const known = byPool.get(pool.address) ?? 0n
          byPool.set(pool.address, reserve > known ? reserve : known)
        }
      }
      const reserves = [...byPool.values()].reduce((sum, reserve) => sum + reserve, 0n)
      return [token, { numerator: reserves, denominator: 10n ** BigInt(decimals) }]
    }),
  )
}

/** The stablecoin of which the pools hold the most whole tokens. */
function findDeepest(held: ReadonlyMap<string, Rational>): string | undefined {
  const [deepest] = [...held].sort(
    ([tokenA, a], [tokenB, b]) => compareRationals(b, a) || (tokenA < tokenB ? -1 : 1),
  )
  return deepest?.[0]
}

const zero: Rational = { numerator: 0n, denominator: 1n }
const one: Rational = { numerator: 1n, denominator: 1n }

/** Routes by the values of feeds. */
function toFeedRoutes(
  feeds: ReadonlyMap<string, Rational>,
  stablecoins: ReadonlyMap<string, number>,
): Map<string, Route> {
  return new Map(
    [...stablecoins].flatMap(([token, decimals]) => {
      const value = feeds.get(token)
      const unit = 10n ** BigInt(decimals)
      const price = value && { ...value, denominator: value.denominator * unit }
      return price ? [[token, { price, legs: [] }]] : []
    }),
  )
}

function peggedRoute(decimals: number): Route {
  return { price: { numerator: 1n, denominator: 10n ** BigInt(decimals) }, legs: [] }
}
