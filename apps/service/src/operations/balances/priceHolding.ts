import type { PriceBook, Prices } from '../../pricing/PriceBook.ts'
import { timesWhole } from '../../pricing/Rational.ts'
import { toNumber } from '../../pricing/toNumber.ts'
import type { Holding } from './Holding.ts'

/** A holding and its worth. The figures are in USD and absent together, but for `poolSize`. */
export interface PricedHolding {
  readonly holding: Holding
  /** Of one whole token. */
  readonly price?: number
  readonly value?: number
  /** Also absent for a stablecoin that no pool trades. */
  readonly poolSize?: number
}

/** Says what a holding is worth. Each figure is computed exactly and rounded once. */
export function priceHolding(holding: Holding, prices: Prices): PricedHolding {
  const route = routeOf(holding, prices)
  if (!route || holding.decimals === undefined) return { holding }
  const price = toNumber(timesWhole(route.price, 10n ** BigInt(holding.decimals)))
  const value = toNumber(timesWhole(route.price, holding.amount))
  // Only tokens made to break somebody's arithmetic are worth more than a double holds.
  if (!Number.isFinite(price) || !Number.isFinite(value)) return { holding }
  return { holding, price, value, ...(route.poolSize && { poolSize: toNumber(route.poolSize) }) }
}

/** The prices of a whole token at the past moments of a price book; null where it had none yet. */
export function pastPrices(holding: Holding, { past }: PriceBook): (number | null)[] {
  return past.map((prices) => priceHolding(holding, prices).price ?? null)
}

/** A native asset is worth what its wrapped token is: the contract gives one for the other at any time. */
function routeOf({ chain, address }: Holding, prices: Prices) {
  const token = address === 'native' ? chain.wrappedNative : address
  return token === undefined ? undefined : prices.get(token)
}
