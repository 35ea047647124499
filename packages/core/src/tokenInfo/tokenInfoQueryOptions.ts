import type { TokenInfoParameters, TokenInfoResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import { tokenInfoOperation } from './tokenInfoOperation.ts'

/**
 * What is known of a token as options for any TanStack query client: `fetchQuery`, `prefetchQuery`, `useQuery`.
 *
 * @param client - Knows the service.
 * @param parameters - Which token, on which chain.
 * @returns Key, function, retry rules and structural sharing. Equal questions have equal keys; the API key is in none.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { createClient, tokenInfoQueryOptions } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * await queryClient.prefetchQuery(
 *   tokenInfoQueryOptions(client, {
 *     address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
 *     chainIds: [1],
 *   }),
 * )
 */
export function tokenInfoQueryOptions(
  client: Client,
  parameters: TokenInfoParameters,
): OperationQueryOptions<TokenInfoResponse> {
  return createQueryOptions(client, tokenInfoOperation, parameters)
}
