import type { CollectiblesParameters, CollectiblesResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import { collectiblesOperation } from './collectiblesOperation.ts'

/**
 * A page of a wallet's NFTs as options for any TanStack query client: `fetchQuery`, `prefetchQuery`, `useQuery`.
 *
 * @param client - Knows the service.
 * @param parameters - Whose NFTs, on which chains; `offset` is the `next_offset` of the page before.
 *   Without `limit` and `offset` it is the page that `watchCollectibles` asks for first, the largest.
 * @returns Key, function, retry rules and structural sharing. Equal questions have equal keys; the API key is in none.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { createClient, collectiblesQueryOptions } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * await queryClient.prefetchQuery(
 *   collectiblesQueryOptions(client, {
 *     address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *     chainIds: [1, 8453],
 *   }),
 * )
 */
export function collectiblesQueryOptions(
  client: Client,
  parameters: CollectiblesParameters,
): OperationQueryOptions<CollectiblesResponse> {
  return createQueryOptions(client, collectiblesOperation, parameters)
}
