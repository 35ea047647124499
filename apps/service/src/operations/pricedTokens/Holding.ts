import { timesWhole } from '../../pricing/Rational.ts'
import { toNumber } from '../../pricing/toNumber.ts'
import type { ChainToken } from './ChainToken.ts'
import type { PricedToken } from './priceToken.ts'

/** What somebody has of a token. */
export interface Holding {
  readonly token: ChainToken
  /** In smallest units. */
  readonly amount: bigint
}

/** A holding and its worth. */
export interface PricedHolding extends PricedToken {
  readonly amount: bigint
  /** In USD; there is one exactly if there is a price. */
  readonly value?: number
}

/** Says what an amount of a priced token is worth: computed exactly, rounded once. */
export function valueHolding({ token, price }: PricedToken, amount: bigint): PricedHolding {
  if (!price) {
    return { token, amount }
  }
  const value = toNumber(timesWhole(price.route.price, amount))
  // Only tokens made to break somebody's arithmetic are worth more than a double holds.
  return Number.isFinite(value) ? { token, price, amount, value } : { token, amount }
}
