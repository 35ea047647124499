import { compareRationals, type Rational } from './Rational.ts'
import type { FoundRoute } from './Route.ts'

/** The unit of the configured change: a millionth. */
const parts = 1_000_000

/** Whether two routes have the same pools, and differ by less than a limit in price and liquidity. */
export function isSameRoute(
  before: FoundRoute | undefined,
  after: FoundRoute | undefined,
  minChange: number,
): boolean {
  const [a, b] = [before?.route, after?.route]
  if (describePools(before) !== describePools(after)) {
    return false
  }
  return a && b
    ? isClose(a.price, b.price, minChange) && isCloseIfKnown(a.poolSize, b.poolSize, minChange)
    : a === b
}

/** The pools of a route, and those that were rejected. */
function describePools(found: FoundRoute | undefined): string {
  return JSON.stringify([
    found?.route?.legs.map(({ type, address, tokens }) => [type, address, ...tokens]),
    found?.rejected.map(({ assessed, reason }) => [assessed.pool.address, reason]),
  ])
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
