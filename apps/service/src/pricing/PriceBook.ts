import type { RejectedPool, Route } from './Route.ts'

/** Routes by token address in lower case. A token without a route has no price. */
export type Prices = ReadonlyMap<string, Route>

/** The prices of the tokens of one chain at its head and at earlier blocks. */
export interface PriceBook {
  readonly now: Prices
  /** For each requested offset, in the same order. */
  readonly past: readonly Prices[]
  /** Whether a requested token with a price at the head may have had one in the past that is not known. */
  readonly isPastUnknown?: boolean
  /** Pools at the head that do not price a token, and why, by token. */
  readonly rejected: Pick<ReadonlyMap<string, readonly RejectedPool[]>, 'get'>
  /** Stablecoins that do not count as 1 USD at the head. */
  readonly depegged: ReadonlySet<string>
  /** Unix seconds of the blocks that created pools, where they are requested. */
  readonly creationTimes?: ReadonlyMap<number, number>
}
