import type { Route } from './Route.ts'

/** Routes by token: its address in lower case. A token without a route is unpriced. */
export type Prices = ReadonlyMap<string, Route>

/** What the tokens of one chain are worth at its head block, and what they were worth before. */
export interface PriceBook {
  readonly now: Prices
  /** One an offset asked for, in the order asked. */
  readonly past: readonly Prices[]
}
