import { compareStrings } from '../compare.ts'
import type { RejectionReason } from './AssessedPool.ts'
import { limitByBalance } from './getBalancedReserve.ts'
import {
  add,
  compareRationals,
  differsByPercent,
  multiply,
  product,
  type Rational,
  zero,
} from './Rational.ts'
import type { FoundRoute, FoundRoutes } from './Route.ts'
import { type PoolsByToken, RouteFinder } from './RouteFinder.ts'

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
 * @returns the routes of the stablecoins that count as 1 USD, without pools.
 */
export function findAnchors(
  pools: PoolsByToken,
  stablecoins: ReadonlyMap<string, number>,
  feeds: ReadonlyMap<string, Rational> = new Map(),
): FoundRoutes {
  const compared = new Map(
    [...stablecoins].filter(([token]) => {
      const value = feeds.get(token)
      return !value || !differsByPercent(value, one, maxDifferencePercent)
    }),
  )
  const pegged =
    compared.size > 1
      ? findPegged(pools, compared, (token) => feeds.has(token))
      : new Set(compared.keys())
  const values = compared.size > 0 ? new Map([...pegged].map((token) => [token, one])) : feeds
  const routes = new Map<string, FoundRoute>()
  const depegged = new Set<string>()
  for (const [token, decimals] of stablecoins) {
    const value = values.get(token)
    if (value) {
      routes.set(token, toRoute(value, decimals))
    }
    if (!pegged.has(token)) {
      depegged.add(token)
    }
  }
  return { routes, depegged }
}

/**
 * Compares stablecoins by their pools.
 *
 * @param hasPeg - whether one is known to have its peg, if it has no route.
 */
function findPegged(
  pools: PoolsByToken,
  stablecoins: ReadonlyMap<string, number>,
  hasPeg: (token: string) => boolean,
): Set<string> {
  const held = getHeld(pools, stablecoins)
  const root = findDeepest(held)
  const known = new Map([[root, toRoute(one, stablecoins.get(root) ?? 0)]])
  const finder = new RouteFinder(pools, known)
  const values: Value[] = []
  const pegged = new Set<string>()
  for (const [token, decimals] of stablecoins) {
    const { route, rejected = [] } = finder.find(token) ?? {}
    if (route) {
      const value = multiply(route.price, 10n ** BigInt(decimals))
      values.push({ token, value, depth: product(held.get(token) ?? zero, value) })
    } else if (hasPeg(token) || !rejected.some(({ reason }) => unproven.has(reason))) {
      pegged.add(token)
    }
  }
  const reference = findReference(values)
  for (const { token, value } of values) {
    if (!differsByPercent(value, reference, maxDifferencePercent)) {
      pegged.add(token)
    }
  }
  return pegged
}

/** A stablecoin, its value in the root, and that of what its pools hold. */
interface Value {
  readonly token: string
  readonly value: Rational
  readonly depth: Rational
}

/** The highest value such that the depth of those at or above it is at least a quarter of all. */
function findReference(values: readonly Value[]): Rational {
  const total = values.map(({ depth }) => depth).reduce(add, zero)
  let sum = zero
  const reference = values
    .toSorted((a, b) => compareRationals(b.value, a.value))
    .find(({ depth }) => {
      sum = add(sum, depth)
      return compareRationals(multiply(sum, minShare), total) >= 0
    })
  return reference?.value ?? one
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
function findDeepest(held: ReadonlyMap<string, Rational>): string {
  const [deepest] = [...held].sort(
    ([tokenA, a], [tokenB, b]) => compareRationals(b, a) || compareStrings(tokenA, tokenB),
  )
  return deepest?.[0] ?? ''
}

const one: Rational = { numerator: 1n, denominator: 1n }

/** The route of a stablecoin with a value in USD. */
function toRoute({ numerator, denominator }: Rational, decimals: number): FoundRoute {
  const price = { numerator, denominator: denominator * 10n ** BigInt(decimals) }
  return { route: { price, legs: [] }, rejected: [] }
}
