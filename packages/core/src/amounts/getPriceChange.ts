import type { HistoricalPrice } from '@headwater/contract'

/**
 * Input of {@link getPriceChange}: a token, a balance or a price tick.
 *
 * @example
 * import { getPriceChange, type PricedItem } from '@headwater/core'
 * const perDay = (item: PricedItem) => getPriceChange(item, 24)
 */
export interface PricedItem {
  readonly price_usd?: number
  readonly historical_prices?: readonly HistoricalPrice[]
}

/**
 * The relative change of a price since a time in the past.
 *
 * @param item - An item that was requested with `historicalPrices`.
 * @param offsetHours - Hours before now; one of the requested offsets.
 * @returns Percent: 5 for a price that rose from 100 to 105. `undefined` if one of the two prices is unknown, or the past
 *   price was 0.
 * @example
 * import { getPriceChange } from '@headwater/core'
 * const token = { price_usd: 105, historical_prices: [{ offset_hours: 24, price_usd: 100 }] }
 * getPriceChange(token, 24) // 5
 */
export function getPriceChange(
  { price_usd: now, historical_prices }: PricedItem,
  offsetHours: number,
): number | undefined {
  const past = historical_prices?.find(({ offset_hours }) => offset_hours === offsetHours)
  if (now === undefined || !past?.price_usd) {
    return undefined
  }
  return ((now - past.price_usd) / past.price_usd) * 100
}
