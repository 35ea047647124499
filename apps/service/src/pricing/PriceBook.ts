import type { Route } from './Route.ts'

/** Routes by token address in lower case. A token without a route has no price. */
export type Prices = ReadonlyMap<string, Route>

/** The prices of the tokens of one chain at its head and at earlier blocks. */
export interface PriceBook {
  readonly now: Prices
  /** For each requested offset, in the same order. */
  readonly past: readonly Prices[]
}
