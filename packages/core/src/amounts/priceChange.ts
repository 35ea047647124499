import type { HistoricalPrice } from '@headwater/contract'

/**
 * What {@link priceChange} looks at: a token, a balance or a tick of a price.
 *
 * @example
 * import { priceChange, type PricedItem } from '@headwater/core'
 * const perDay = (item: PricedItem) => priceChange(item, 24)
 */
export interface PricedItem {
  readonly price_usd?: number
  readonly historical_prices?: readonly HistoricalPrice[]
}

/**
 * How much a price changed since a time in the past, in percent of what it was.
 *
 * @param item - Something priced that was asked for with `historicalPrices`.
 * @param offsetHours - How many hours ago; one of the offsets that were asked for.
 * @returns Percent: 5 for a price that rose from 100 to 105. `undefined` when one of the two prices is not known, or the
 *   past one was 0.
 * @example
 * import { priceChange } from '@headwater/core'
 * const token = { price_usd: 105, historical_prices: [{ offset_hours: 24, price_usd: 100 }] }
 * priceChange(token, 24) // 5
 */
export function priceChange(
  { price_usd: now, historical_prices }: PricedItem,
  offsetHours: number,
): number | undefined {
  const past = historical_prices?.find(({ offset_hours }) => offset_hours === offsetHours)
  if (now === undefined || !past?.price_usd) return undefined
  return ((now - past.price_usd) / past.price_usd) * 100
}
