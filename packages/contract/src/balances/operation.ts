import type { Balance, BalancesParameters, BalancesResponse } from '../generated/types.ts'
import type { Operation } from '../Operation.ts'

/**
 * A wallet's token balances and their worth on one or more chains.
 *
 * One unit a chain. Specification 4.3 and 8.
 */
export const balances = {
  name: 'balances',
  path: '/v1/evm/balances/{address}',
  query: [
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
  list: {
    items: 'balances',
    cursor: 'offset',
    limit: { default: 1000, maximum: 1000 },
    identity: ({ chain_id, address }) => `${chain_id}/${address}`,
  },
} as const satisfies Operation<'balances', BalancesParameters, BalancesResponse, Balance>
