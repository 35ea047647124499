import type { Balance, BalancesResponse, TokenBalanceParameters } from '../generated/types.ts'
import { isBalance, isBalancesResponse, isTokenBalanceParameters } from '../generated/validators.ts'
import type { Operation } from '../Operation.ts'

/**
 * A wallet's balance of one token on one chain, and its value.
 *
 * One unit. Specification 4.4 and 8.
 */
export const tokenBalance = {
  name: 'tokenBalance',
  path: '/v1/evm/balances/{address}/token/{tokenAddress}',
  queryParameters: ['chainIds', 'metadata', 'historicalPrices'],
  chains: 'one',
  cost: () => 1,
  itemsField: 'balances',
  getItemId: ({ chain_id, address }) => `${chain_id}/${address}`,

  isParameters: isTokenBalanceParameters,
  isResponse: isBalancesResponse,
  isItem: isBalance,
} as const satisfies Operation<'tokenBalance', TokenBalanceParameters, BalancesResponse, Balance>
