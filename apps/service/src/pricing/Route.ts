import type { AssessedPool, RejectionReason } from './AssessedPool.ts'
import type { Pool } from './Pool.ts'
import type { Rational } from './Rational.ts'

/** A pool on the route from a token to USD. */
export interface RouteLeg {
  readonly type: Pool['kind']
  readonly address: string
  /** The priced token, and the token that the price is expressed in. */
  readonly tokens: readonly [string, string]
  readonly assessed: AssessedPool
  /** USD per smallest unit of the second token. */
  readonly quotePrice: Rational
}

/** A pool of a token that does not price it, and why. */
export interface RejectedPool {
  readonly assessed: AssessedPool
  readonly reason: RejectionReason
}

/** The price of a token in USD, and its route. */
export interface Route {
  /** USD per smallest unit of the token. */
  readonly price: Rational
  /**
   * The liquidity in USD: the value of the quote reserve in the deepest pool that agrees with the price, limited by the other
   * legs of its route. Absent only for a stablecoin without pools.
   */
  readonly poolSize?: Rational
  /** The pools of the route, from the token to a stablecoin; empty for a stablecoin. */
  readonly legs: readonly RouteLeg[]
}

/** The route of a token, if it has one, and the pools that were rejected. */
export interface FoundRoute {
  readonly route: Route | undefined
  readonly rejected: readonly RejectedPool[]
}

/** The routes of tokens at a point. */
export interface FoundRoutes {
  /** By token. */
  readonly routes: ReadonlyMap<string, FoundRoute>
  /** The stablecoins that do not count as 1 USD. */
  readonly depegged: ReadonlySet<string>
}
