import {
  balances,
  isBalance,
  isBalancesResponse,
  tokenBalance,
  tokenInfo,
  type Balance,
} from '@headwater/contract'
import type { ClientOperation } from '../operation/ClientOperation.ts'
import type { PriceSource } from './PriceTick.ts'

const isParameters = () => true

const isTokens = (body: unknown): body is object =>
  isBalancesResponse({
    wallet_address: '',
    balances: (body as { tokens?: unknown } | null)?.tokens,
  })

const isToken = Object.assign(
  (token: unknown): token is Balance => {
    const isPriced = isBalance({ address: '', amount: '0', ...(token as object) })
    isToken.errors = isBalance.errors
    return isPriced
  },
  { errors: isBalance.errors },
)

const lists = {
  isParameters,
  isResponse: isBalancesResponse,
  isItem: isBalance,
  list: balances.list,
}

/**
 * The operations as far as prices need them: parameters are right, and of a token counts what a balance tells too. The full
 * validators of each would be the larger half of what prices weigh.
 */
export const priceOperations = {
  balances: { ...lists, declaration: balances },
  tokenBalance: { ...lists, declaration: tokenBalance },
  tokenInfo: { isParameters, isResponse: isTokens, isItem: isToken, declaration: tokenInfo },
} as unknown as Record<PriceSource, ClientOperation<object, object>>
