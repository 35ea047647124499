import type { TokenHoldersParameters, TokenHoldersResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import { tokenHoldersOperation } from './tokenHoldersOperation.ts'

/**
 * A page of who holds a token as options for any TanStack query client: `fetchQuery`, `prefetchQuery`, `useQuery`.
 *
 * @param client - Knows the service.
 * @param parameters - Which token, on which chain; `offset` is the `next_offset` of the page before.
 *   Without `limit` and `offset` it is the page that `watchTokenHolders` asks for first, the largest.
 * @returns Key, function, retry rules and structural sharing. Equal questions have equal keys; the API key is in none.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { createClient, tokenHoldersQueryOptions } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * await queryClient.prefetchQuery(
 *   tokenHoldersQueryOptions(client, {
 *     chainId: 1,
 *     address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
 *     limit: 10,
 *   }),
 * )
 */
export function tokenHoldersQueryOptions(
  client: Client,
  parameters: TokenHoldersParameters,
): OperationQueryOptions<TokenHoldersResponse> {
  return createQueryOptions(client, tokenHoldersOperation, parameters)
}
