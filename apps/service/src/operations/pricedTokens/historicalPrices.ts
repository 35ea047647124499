import type { HistoricalPrice } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { ChainToken } from './ChainToken.ts'
import { priceOf } from './priceToken.ts'

/**
 * The prices of a whole token some hours ago; null where it had none yet.
 *
 * @param hours - as asked for; the price book is of the same, in the same order.
 */
export function historicalPrices(
  token: ChainToken,
  hours: readonly number[],
  book: PriceBook | undefined,
): HistoricalPrice[] {
  return hours.map((offset_hours, index) => ({
    offset_hours,
    price_usd: priceOf(token, book?.past[index] ?? new Map())?.usd ?? null,
  }))
}
