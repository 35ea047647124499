import type {
  Collectible,
  CollectiblesParameters,
  CollectiblesResponse,
} from '../generated/types.ts'
import type { Operation } from '../Operation.ts'

/**
 * A wallet's NFTs on one or more chains, the newest acquired first.
 *
 * One unit a chain. Specification 4.5 and 8.
 */
export const collectibles = {
  name: 'collectibles',
  path: '/v1/evm/collectibles/{address}',
  query: ['chainIds', 'offset', 'limit'],
  chains: 'many',
  cost: ({ chainIds }, countChains) => countChains(chainIds),
  list: {
    items: 'entries',
    cursor: 'offset',
    limit: { default: 250, maximum: 2500 },
    identity: ({ chain_id, contract_address, token_id }) =>
      `${chain_id}/${contract_address}/${token_id}`,
  },
} as const satisfies Operation<
  'collectibles',
  CollectiblesParameters,
  CollectiblesResponse,
  Collectible
>
