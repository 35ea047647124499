import { compareRationals, type Rational } from './Rational.ts'
import type { FoundRoute, RouteLeg } from './Route.ts'

/** The unit of the configured change: a millionth. */
const parts = 1_000_000

/** Whether two routes have the same pools, and differ by less than a limit in price and liquidity. */
export function isSameRoute(
  before: FoundRoute | undefined,
  after: FoundRoute | undefined,
  minChange: number,
): boolean {
  const a = before?.route
  const b = after?.route
  if (!hasSamePools(before, after)) {
    return false
  }
  return a && b
    ? isClose(a.price, b.price, minChange) && isCloseIfKnown(a.poolSize, b.poolSize, minChange)
    : a === b
}

/** Whether two routes pass the same pools, and others were rejected for the same reasons. */
function hasSamePools(a: FoundRoute | undefined, b: FoundRoute | undefined): boolean {
  return (
    isSameList(a?.route?.legs, b?.route?.legs, isSameLeg) &&
    isSameList(
      a?.rejected,
      b?.rejected,
      (first, second) =>
        first.reason === second.reason &&
        first.assessed.pool.address === second.assessed.pool.address,
    )
  )
}

function isSameLeg(a: RouteLeg, b: RouteLeg): boolean {
  return a.type === b.type && a.address === b.address && isSameList(a.tokens, b.tokens, Object.is)
}

function isSameList<Item>(
  a: readonly Item[] | undefined,
  b: readonly Item[] | undefined,
  isSame: (a: Item, b: Item) => boolean,
): boolean {
  return (
    a?.length === b?.length && (a ?? []).every((item, index) => isSame(item, b?.[index] as Item))
  )
}

function isCloseIfKnown(
  a: Rational | undefined,
  b: Rational | undefined,
  minChange: number,
): boolean {
  return a && b ? isClose(a, b, minChange) : a === b
}

/** Whether `b` is less than `minChange` above or below `a`. */
function isClose(a: Rational, b: Rational, minChange: number): boolean {
  const limit = BigInt(Math.round(minChange * parts))
  const scale = (factor: bigint): Rational => ({
    numerator: a.numerator * factor,
    denominator: a.denominator * BigInt(parts),
  })
  return (
    compareRationals(b, scale(BigInt(parts) - limit)) > 0 &&
    compareRationals(b, scale(BigInt(parts) + limit)) < 0
  )
}
