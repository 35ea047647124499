import type { Pool } from './Pool.ts'
import type { Rational } from './Rational.ts'

/** A pool on the way from a token to USD. */
export interface RouteLeg {
  readonly type: Pool['kind']
  readonly address: string
  /** The one that it prices, and the one that it prices in. */
  readonly tokens: readonly [string, string]
}

/** How a token is priced in USD. */
export interface Route {
  /** USD for one smallest unit of the token. */
  readonly price: Rational
  /**
   * What a holder could sell into, in USD: the quote side of the token's pricing pair, bounded by the thinnest leg of
   * the route to USD. Absent only for a stablecoin that no pool trades.
   */
  readonly poolSize?: Rational
  /** The pools that the price comes from, in order from the token to a stablecoin; none for a stablecoin itself. */
  readonly legs: readonly RouteLeg[]
}
