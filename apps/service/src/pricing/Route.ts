import type { Rational } from './Rational.ts'

/** How a token is priced in USD. */
export interface Route {
  /** USD for one smallest unit of the token. */
  readonly price: Rational
  /**
   * What a holder could sell into, in USD: the quote side of the token's pricing pair, bounded by the thinnest leg of
   * the route to USD. Absent only for a stablecoin that no pool trades.
   */
  readonly poolSize?: Rational
}
