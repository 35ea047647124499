import { SPAM_LIQUIDITY_USD } from '@headwater/contract'
import type { PricedToken } from '../pricedTokens/priceToken.ts'

/**
 * Whether `exclude_spam_tokens` leaves a token out: an unpriced one has no liquidity, and none is too little.
 * Native assets are never spam, nor is a stablecoin that the service is told to take for 1 USD but that no pool trades.
 */
export function isSpam({ token, price }: PricedToken): boolean {
  if (token.address === 'native') {
    return false
  }
  return !price || (price.poolSize !== undefined && price.poolSize < SPAM_LIQUIDITY_USD)
}
