import type { BalancesParameters, BalancesResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import { balancesOperation } from './balancesOperation.ts'

/**
 * The balances of a wallet as options for any TanStack query client: `fetchQuery`, `prefetchQuery`, `useQuery`.
 *
 * @param client - Knows the service.
 * @param parameters - Whose balances, on which chains. Without `limit` and `offset` it is the page that
 *   `watchBalances` asks for first, the largest.
 * @returns Key, function, retry rules and structural sharing. Equal questions have equal keys; the API key is in none.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { balancesQueryOptions, createClient } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * await queryClient.prefetchQuery(
 *   balancesQueryOptions(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }),
 * )
 */
export function balancesQueryOptions(
  client: Client,
  parameters: BalancesParameters,
): OperationQueryOptions<BalancesResponse> {
  return createQueryOptions(client, balancesOperation, parameters)
}
