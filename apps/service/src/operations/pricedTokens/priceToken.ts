import type { HistoricalPrice } from '@headwater/contract'
import type { PriceBook, Prices } from '../../pricing/PriceBook.ts'
import { multiply } from '../../pricing/Rational.ts'
import type { Route } from '../../pricing/Route.ts'
import { toNumber } from '../../pricing/toNumber.ts'
import { type ChainToken, getPricedAddress } from './ChainToken.ts'

/** The price of a token at a block. */
export interface TokenPrice {
  /** USD for a whole token. */
  readonly usd: number
  /** In USD; absent for a stablecoin without a pool. */
  readonly poolSize?: number
  readonly route: Route
}

/** A token and its price, if it has one. */
export interface PricedToken {
  readonly token: ChainToken
  readonly price?: TokenPrice
}

/** A balance of a token and its value. */
export interface PricedHolding extends PricedToken {
  /** In smallest units. */
  readonly amount: bigint
  /** In USD; present exactly if there is a price. */
  readonly value?: number
}

/** Prices a token. Each figure is computed exactly and rounded once. */
export function priceToken(token: ChainToken, prices: Prices): PricedToken {
  return priceByRoute(token, findRoute(token, prices))
}

/** Prices a token by its route, if it has one. */
export function priceByRoute(token: ChainToken, route: Route | undefined): PricedToken {
  const price = findPrice(token, route)
  return price ? { token, price } : { token }
}

/** Values an amount of a priced token: computed exactly, rounded once. */
export function valueHolding({ token, price }: PricedToken, amount: bigint): PricedHolding {
  if (!price) {
    return { token, amount }
  }
  const value = toNumber(multiply(price.route.price, amount))
  // Only malicious tokens are worth more than a double can represent.
  return Number.isFinite(value) ? { token, price, amount, value } : { token, amount }
}

/**
 * The prices of a token some hours ago; null where it had none yet.
 *
 * @param book - of the same hours, in the same order.
 */
export function historicalPrices(
  token: ChainToken,
  hours: readonly number[],
  book: PriceBook | undefined,
): HistoricalPrice[] {
  return hours.map((offset_hours, index) => ({
    offset_hours,
    price_usd: findPrice(token, findRoute(token, book?.past[index]))?.usd ?? null,
  }))
}

/** The prices of routes, which remain for many blocks: most responses have them again, with other amounts. */
const knownPrices = new WeakMap<
  Route,
  { readonly decimals: number; readonly price: TokenPrice | undefined }
>()

function findRoute(token: ChainToken, prices: Prices | undefined): Route | undefined {
  return prices?.get(getPricedAddress(token))
}

function findPrice({ decimals }: ChainToken, route: Route | undefined): TokenPrice | undefined {
  if (!route || decimals === undefined) {
    return undefined
  }
  let known = knownPrices.get(route)
  if (known?.decimals !== decimals) {
    known = { decimals, price: toPrice(route, decimals) }
    knownPrices.set(route, known)
  }
  return known.price
}

function toPrice(route: Route, decimals: number): TokenPrice | undefined {
  const usd = toNumber(multiply(route.price, powerOfTen(decimals)))
  // Only malicious tokens have a price that a double cannot represent.
  if (!Number.isFinite(usd)) {
    return undefined
  }
  return route.poolSize ? { usd, poolSize: toNumber(route.poolSize), route } : { usd, route }
}

const powersOfTen: bigint[] = []

/** Computed once for each of the 256 possible decimals: a wallet has thousands of tokens. */
function powerOfTen(decimals: number): bigint {
  return (powersOfTen[decimals] ??= 10n ** BigInt(decimals))
}
