import { SPAM_LIQUIDITY_USD } from '@headwater/contract'
import type { PricedHolding } from './priceHolding.ts'

/**
 * Whether `exclude_spam_tokens` leaves a holding out: an unpriced token has no liquidity, and none is too little.
 * Native assets are never spam, nor is a stablecoin that the service is told to take for 1 USD but that no pool trades.
 */
export function isSpam({ holding, price, poolSize }: PricedHolding): boolean {
  if (holding.address === 'native') return false
  return price === undefined || (poolSize !== undefined && poolSize < SPAM_LIQUIDITY_USD)
}
