import type { Balance, BalancesParameters, BalancesResponse } from '../generated/types.ts'
import { isBalance, isBalancesParameters, isBalancesResponse } from '../generated/validators.ts'
import type { Operation } from '../Operation.ts'

/**
 * A wallet's token balances and their value on one or more chains.
 *
 * One unit per chain. Specification 4.3 and 8.
 */
export const balances = {
  name: 'balances',
  path: '/v1/evm/balances/{address}',
  queryParameters: [
    'chainIds',
    'filters',
    'metadata',
    'excludeSpamTokens',
    'historicalPrices',
    'offset',
    'limit',
  ],
  chains: 'many',
  cost: ({ chainIds }, countChains) => countChains(chainIds),
  itemsField: 'balances',
  getItemId: ({ chain_id, address }) => `${chain_id}/${address}`,
  pagination: { limit: { default: 1000, maximum: 1000 } },
  isParameters: isBalancesParameters,
  isResponse: isBalancesResponse,
  isItem: isBalance,
} as const satisfies Operation<'balances', BalancesParameters, BalancesResponse, Balance>
