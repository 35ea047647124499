import type {
  Collectible,
  CollectiblesParameters,
  CollectiblesResponse,
} from '../generated/types.ts'
import {
  isCollectible,
  isCollectiblesParameters,
  isCollectiblesResponse,
} from '../generated/validators.ts'
import type { Operation } from '../Operation.ts'

/**
 * A wallet's NFTs on one or more chains, most recently acquired first.
 *
 * One unit per chain. Specification 4.5 and 8.
 */
export const collectibles = {
  name: 'collectibles',
  path: '/v1/evm/collectibles/{address}',
  queryParameters: ['chainIds', 'offset', 'limit'],
  chains: 'many',
  cost: ({ chainIds }, countChains) => countChains(chainIds),
  itemsField: 'entries',
  getItemId: ({ chain_id, contract_address, token_id }) =>
    `${chain_id}/${contract_address}/${token_id}`,
  pagination: { limit: { default: 250, maximum: 2500 } },
  isParameters: isCollectiblesParameters,
  isResponse: isCollectiblesResponse,
  isItem: isCollectible,
} as const satisfies Operation<
  'collectibles',
  CollectiblesParameters,
  CollectiblesResponse,
  Collectible
>
