import { type Balance, type BalancesParameters, LOW_LIQUIDITY_USD } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import { historicalPrices } from './historicalPrices.ts'
import type { PricedHolding } from './Holding.ts'
import type { TokenLinks } from './TokenLinks.ts'
import { tokenMetadata } from './tokenMetadata.ts'

/** What an entry shows beyond what every entry does. */
interface Extras {
  /** Hours, in the order asked. */
  readonly historicalPrices: BalancesParameters['historicalPrices'] | undefined
  readonly metadata: BalancesParameters['metadata'] | undefined
  /** Of the past moments asked for, by chain id. */
  readonly books: ReadonlyMap<number, PriceBook> | undefined
  readonly links: TokenLinks
}

/** The entry of an answer. What is not known is left out. */
export function toBalance(holding: PricedHolding, extras: Extras): Balance {
  const { token, amount, price, value } = holding
  const { chain, address, symbol, name, decimals } = token
  // Field by field, in the order of the specification: a page has a thousand, and spreading parts costs five times this.
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
    balance.historical_prices = historicalPrices(
      token,
      extras.historicalPrices,
      extras.books?.get(chain.id),
    )
  }
  if (extras.metadata) {
    balance.token_metadata = tokenMetadata(holding, extras.metadata, extras.links)
  }
  return balance
}
