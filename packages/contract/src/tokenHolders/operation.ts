import type { Holder, TokenHoldersParameters, TokenHoldersResponse } from '../generated/types.ts'
import {
  isHolder,
  isTokenHoldersParameters,
  isTokenHoldersResponse,
} from '../generated/validators.ts'
import type { Operation } from '../Operation.ts'

/**
 * Holders of an ERC20 or ERC721 token, largest balance first.
 *
 * Two units per page. Specification 4.2 and 8.
 */
export const tokenHolders = {
  name: 'tokenHolders',
  path: '/v1/evm/token-holders/{chainId}/{address}',
  queryParameters: ['limit', 'offset'],
  chains: 'one',
  cost: () => 2,
  itemsField: 'holders',
  getItemId: ({ wallet_address }) => wallet_address,
  pagination: { limit: { default: 500, maximum: 500 } },
  isParameters: isTokenHoldersParameters,
  isResponse: isTokenHoldersResponse,
  isItem: isHolder,
} as const satisfies Operation<'tokenHolders', TokenHoldersParameters, TokenHoldersResponse, Holder>
