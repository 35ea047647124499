import type { Prices } from '../../pricing/PriceBook.ts'
import { timesWhole } from '../../pricing/Rational.ts'
import type { Route } from '../../pricing/Route.ts'
import { toNumber } from '../../pricing/toNumber.ts'
import type { ChainToken } from './ChainToken.ts'

/** What a token is worth at some moment. */
export interface TokenPrice {
  /** Of one whole token, in USD. */
  readonly usd: number
  /** In USD; absent for a stablecoin that no pool trades. */
  readonly poolSize?: number
  readonly route: Route
}

/** A token and its price, if it has one. */
export interface PricedToken {
  readonly token: ChainToken
  readonly price?: TokenPrice
}

/** Says what a token is worth. Each figure is computed exactly and rounded once. */
export function priceToken(token: ChainToken, prices: Prices): PricedToken {
  const price = priceOf(token, prices)
  return price ? { token, price } : { token }
}

/** What a whole token is worth by some prices; undefined when they know none. */
export function priceOf({ chain, address, decimals }: ChainToken, prices: Prices) {
  // A native asset is worth what its wrapped token is: the contract gives one for the other at any time.
  const priced = address === 'native' ? chain.wrappedNative : address
  const route = priced === undefined ? undefined : prices.get(priced)
  if (!route || decimals === undefined) {
    return undefined
  }
  const usd = toNumber(timesWhole(route.price, powerOfTen(decimals)))
  // Only tokens made to break somebody's arithmetic are worth more than a double holds.
  if (!Number.isFinite(usd)) {
    return undefined
  }
  const price: TokenPrice = route.poolSize
    ? { usd, poolSize: toNumber(route.poolSize), route }
    : { usd, route }
  return price
}

const powersOfTen: bigint[] = []

/** Computed once for each of the 256 decimals that there are: a wallet has thousands of tokens. */
function powerOfTen(decimals: number): bigint {
  return (powersOfTen[decimals] ??= 10n ** BigInt(decimals))
}
