import type { BalancesResponse, TokenBalanceParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import { tokenBalanceOperation } from './tokenBalanceOperation.ts'

/**
 * What a wallet holds of one token as options for any TanStack query client: `fetchQuery`, `prefetchQuery`, `useQuery`.
 *
 * @param client - Knows the service.
 * @param parameters - Whose balance of which token, on which chain.
 * @returns Key, function, retry rules and structural sharing. Equal questions have equal keys; the API key is in none.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { createClient, tokenBalanceQueryOptions } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * await queryClient.prefetchQuery(
 *   tokenBalanceQueryOptions(client, {
 *     address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *     tokenAddress: 'native',
 *     chainIds: [1],
 *   }),
 * )
 */
export function tokenBalanceQueryOptions(
  client: Client,
  parameters: TokenBalanceParameters,
): OperationQueryOptions<BalancesResponse> {
  return createQueryOptions(client, tokenBalanceOperation, parameters)
}
