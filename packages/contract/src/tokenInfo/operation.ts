import type { Token, TokenInfoParameters, TokenInfoResponse } from '../generated/types.ts'
import { isToken, isTokenInfoParameters, isTokenInfoResponse } from '../generated/validators.ts'
import type { Operation } from '../Operation.ts'

/**
 * Metadata, price and supply of a token, or of a chain's native asset.
 *
 * Two units. Specification 4.1 and 8.
 */
export const tokenInfo = {
  name: 'tokenInfo',
  path: '/v1/evm/token-info/{address}',
  queryParameters: ['chainIds', 'metadata', 'historicalPrices', 'limit', 'offset'],
  chains: 'one',
  cost: () => 2,
  itemsField: 'tokens',
  getItemId: ({ chain_id }) => String(chain_id),
  pagination: { limit: { default: 1, maximum: 1 } },
  isParameters: isTokenInfoParameters,
  isResponse: isTokenInfoResponse,
  isItem: isToken,
} as const satisfies Operation<'tokenInfo', TokenInfoParameters, TokenInfoResponse, Token>
