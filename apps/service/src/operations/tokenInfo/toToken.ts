import type { HistoricalPrice, Token } from '@headwater/contract'
import { valueHolding } from '../pricedTokens/Holding.ts'
import type { PricedToken } from '../pricedTokens/priceToken.ts'

/** What an entry may show beside the token and its price. */
interface Extras {
  readonly logo: string | undefined
  /** In smallest units; undefined for a native asset and when no node told it. */
  readonly totalSupply: bigint | undefined
  readonly historicalPrices: HistoricalPrice[] | undefined
}

/** The entry of an answer. What is not known is left out; of a native asset there is no pool size and no supply. */
export function toToken(
  priced: PricedToken,
  { logo, totalSupply, historicalPrices }: Extras,
): Token {
  const { token, price } = priced
  const { chain, address, symbol, name, decimals } = token
  const fullyDiluted = totalSupply === undefined ? undefined : valueHolding(priced, totalSupply)
  return {
    chain_id: chain.id,
    chain: chain.name,
    ...(price && { price_usd: price.usd }),
    ...(symbol !== undefined && { symbol }),
    ...(name !== undefined && { name }),
    ...(decimals !== undefined && { decimals }),
    ...(logo !== undefined && { logo }),
    ...(address !== 'native' && price?.poolSize !== undefined && { pool_size: price.poolSize }),
    ...(totalSupply !== undefined && { total_supply: String(totalSupply) }),
    ...(fullyDiluted?.value !== undefined && { fully_diluted_value: fullyDiluted.value }),
    ...(historicalPrices && { historical_prices: historicalPrices }),
  }
}
