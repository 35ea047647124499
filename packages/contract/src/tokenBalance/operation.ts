import type { BalancesResponse, TokenBalanceParameters } from '../generated/types.ts'
import type { Operation } from '../Operation.ts'

/**
 * What a wallet holds of one token on one chain, and its worth.
 *
 * One unit. Specification 4.4 and 8.
 */
export const tokenBalance = {
  name: 'tokenBalance',
  path: '/v1/evm/balances/{address}/token/{tokenAddress}',
  query: ['chainIds', 'metadata', 'historicalPrices'],
  chains: 'one',
  cost: () => 1,
} as const satisfies Operation<'tokenBalance', TokenBalanceParameters, BalancesResponse>
