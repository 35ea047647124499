import type { Token, TokenInfoParameters, TokenInfoResponse } from '../generated/types.ts'
import type { Operation } from '../Operation.ts'

/**
 * What is known of a token or of a chain's native asset: texts, price, supply.
 *
 * Two units. Specification 4.1 and 8.
 */
export const tokenInfo = {
  name: 'tokenInfo',
  path: '/v1/evm/token-info/{address}',
  query: ['chainIds', 'historicalPrices', 'limit', 'offset'],
  chains: 'one',
  cost: () => 2,
  list: {
    items: 'tokens',
    cursor: 'offset',
    limit: { default: 1, maximum: 1 },
    identity: ({ chain_id }) => String(chain_id),
  },
} as const satisfies Operation<'tokenInfo', TokenInfoParameters, TokenInfoResponse, Token>
