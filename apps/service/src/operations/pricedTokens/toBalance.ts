import { type Balance, type BalancesParameters, LOW_LIQUIDITY_USD } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import { historicalPrices, type PricedHolding } from './priceToken.ts'
import { type MetadataSource, toMetadata } from './toMetadata.ts'

/** The optional fields of a request for balances, and what they are filled from. */
interface Extras extends MetadataSource {
  readonly historicalPrices: BalancesParameters['historicalPrices'] | undefined
  readonly metadata: BalancesParameters['metadata'] | undefined
  /** Price books with the requested hours, by chain id; undefined if `historicalPrices` is. */
  readonly pastBooks: ReadonlyMap<number, PriceBook> | undefined
}

/** Converts a holding to an entry of the response. Unknown values are omitted. */
export function toBalance(holding: PricedHolding, extras: Extras): Balance {
  const { token, amount, price, value } = holding
  const { chain, alias, symbol, name, decimals } = token
  const address = alias ?? token.address
  // In the order of the specification. Assigning a thousand entries is five times as fast as spreading them.
  const balance: Balance = { chain: chain.name, chain_id: chain.id, address, amount: `${amount}` }
  if (symbol !== undefined) {
    balance.symbol = symbol
  }
  if (name !== undefined) {
    balance.name = name
  }
  if (decimals !== undefined) {
    balance.decimals = decimals
  }
  if (price && value !== undefined) {
    balance.price_usd = price.usd
    balance.value_usd = value
    if (price.poolSize !== undefined) {
      balance.pool_size = price.poolSize
      balance.low_liquidity = price.poolSize < LOW_LIQUIDITY_USD
    }
  }
  if (extras.historicalPrices) {
    const book = extras.pastBooks?.get(chain.id)
    balance.historical_prices = historicalPrices(token, extras.historicalPrices, book)
  }
  if (extras.metadata) {
    balance.token_metadata = toMetadata(holding, extras.metadata, extras)
  }
  return balance
}
