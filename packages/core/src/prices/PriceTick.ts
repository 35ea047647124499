import type { HistoricalPrice } from '@headwater/contract'

/**
 * The operations with prices in their responses.
 *
 * @example
 * import type { PriceSource } from '@headwater/core'
 * const isFromWallet = (source: PriceSource) => source !== 'tokenInfo'
 */
export type PriceSource = 'balances' | 'tokenBalance' | 'tokenInfo'

/**
 * A price at a time. The tick stays the same while later responses contain the same price.
 *
 * @example
 * import type { PriceTick } from '@headwater/core'
 * const text = ({ price_usd, lowLiquidity }: PriceTick) =>
 *   price_usd === undefined ? 'no price' : `${lowLiquidity ? '~' : ''}${price_usd} USD`
 */
export interface PriceTick {
  /** Price of one whole token in USD; absent if no pool prices the token. */
  readonly price_usd?: number
  /**
   * When the price was first observed, in milliseconds since 1970: the `response_time` of the service, else the local time at
   * which the response arrived.
   */
  readonly observedAt: number
  /** The operation that returned the price. */
  readonly source: PriceSource
  /** Whether the liquidity behind the price is too low for it to be meaningful; see `isLowLiquidity`. */
  readonly lowLiquidity: boolean
  /** Known prices at the requested offsets. Only with the option `historicalPrices`. */
  readonly historical_prices?: readonly HistoricalPrice[]
  /** Changes since the requested offsets, in their order. Only with the option `historicalPrices`. */
  readonly changes?: readonly PriceTickChange[]
}

/**
 * The relative change of a price.
 *
 * @example
 * import type { PriceTickChange } from '@headwater/core'
 * const text = ({ offset_hours, percent }: PriceTickChange) =>
 *   `${percent?.toFixed(2) ?? '?'} % in ${offset_hours} h`
 */
export interface PriceTickChange {
  /** Hours before now. */
  readonly offset_hours: number
  /** Percent, as `getPriceChange` returns it; absent while one of the two prices is unknown, or if the past one was 0. */
  readonly percent?: number
}
