import { type Balance, LOW_LIQUIDITY_USD } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import { pastPrices, type PricedHolding } from './priceHolding.ts'

/** What an entry shows beyond what every entry does. */
interface Extras {
  /** Hours, in the order asked. */
  readonly historicalPrices: readonly number[] | undefined
  readonly metadata: readonly string[] | undefined
}

/** The entry of an answer. What is not known is left out. */
export function toBalance(
  { holding, price, value, poolSize }: PricedHolding,
  book: PriceBook | undefined,
  { historicalPrices, metadata }: Extras,
): Balance {
  const { chain, address, amount, name, symbol, decimals } = holding
  const past = historicalPrices && book ? pastPrices(holding, book) : []
  return {
    chain: chain.name,
    chain_id: chain.id,
    address,
    amount: String(amount),
    ...(symbol !== undefined && { symbol }),
    ...(name !== undefined && { name }),
    ...(decimals !== undefined && { decimals }),
    ...(price !== undefined && { price_usd: price }),
    ...(value !== undefined && { value_usd: value }),
    ...(poolSize !== undefined && {
      pool_size: poolSize,
      low_liquidity: poolSize < LOW_LIQUIDITY_USD,
    }),
    ...(historicalPrices && {
      historical_prices: historicalPrices.map((hours, index) => ({
        offset_hours: hours,
        price_usd: past[index] ?? null,
      })),
    }),
    // No source of logos and home pages yet: what is asked for is answered with nothing known.
    ...(metadata && { token_metadata: {} }),
  }
}
