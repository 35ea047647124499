import type { Holder, TokenHoldersParameters, TokenHoldersResponse } from '../generated/types.ts'
import type { Operation } from '../Operation.ts'

/**
 * Who holds an ERC20 or ERC721 token, the largest holders first.
 *
 * Two units a page. Specification 4.2 and 8.
 */
export const tokenHolders = {
  name: 'tokenHolders',
  path: '/v1/evm/token-holders/{chainId}/{address}',
  query: ['limit', 'offset'],
  chains: 'one',
  cost: () => 2,
  list: {
    items: 'holders',
    cursor: 'offset',
    limit: { default: 500, maximum: 500 },
    identity: ({ wallet_address }) => wallet_address,
  },
} as const satisfies Operation<'tokenHolders', TokenHoldersParameters, TokenHoldersResponse, Holder>
