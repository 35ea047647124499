import type { HistoricalPrice } from '@headwater/contract'

/**
 * The operations whose answers tell prices.
 *
 * @example
 * import type { PriceSource } from '@headwater/core'
 * const isOfWallet = (source: PriceSource) => source !== 'tokenInfo'
 */
export type PriceSource = 'balances' | 'tokenBalance' | 'tokenInfo'

/**
 * A price at a moment. The same tick stays for as long as later answers tell the same of the token.
 *
 * @example
 * import type { PriceTick } from '@headwater/core'
 * const text = ({ price_usd, lowLiquidity }: PriceTick) =>
 *   price_usd === undefined ? 'no price' : `${lowLiquidity ? '~' : ''}${price_usd} USD`
 */
export interface PriceTick {
  /** Price of one whole token in USD; absent when the service says that nothing prices the token. */
  readonly price_usd?: number
  /**
   * When it was first true, in milliseconds since 1970: the answer's own `response_time`, which is by the service's clock,
   * else when the answer came.
   */
  readonly observedAt: number
  /** The operation that told it. */
  readonly source: PriceSource
  /** Whether so little can be sold into the token's pools that the price says little; see `isLowLiquidity`. */
  readonly lowLiquidity: boolean
  /** Past prices that are known, of the offsets asked for. Only with the option `historicalPrices`. */
  readonly historical_prices?: readonly HistoricalPrice[]
  /** Changes since the offsets asked for, in their order. Only with the option `historicalPrices`. */
  readonly changes?: readonly PriceTickChange[]
}

/**
 * How much a price changed.
 *
 * @example
 * import type { PriceTickChange } from '@headwater/core'
 * const text = ({ offset_hours, percent }: PriceTickChange) =>
 *   `${percent?.toFixed(2) ?? '?'} % in ${offset_hours} h`
 */
export interface PriceTickChange {
  /** Since how many hours ago. */
  readonly offset_hours: number
  /** Percent, as `priceChange` tells it; absent while one of the two prices is not known, or when the past one was 0. */
  readonly percent?: number
}
