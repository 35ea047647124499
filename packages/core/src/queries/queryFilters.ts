import type { AnyOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { requireClient } from '../client/requireClient.ts'
import { normalizeParameters } from '../requests/parameters.ts'
import { createQueryKey, parseQueryKey } from './queryKey.ts'

/**
 * Filters for the methods of a TanStack query client, such as `invalidateQueries`, `cancelQueries` and `isFetching`.
 *
 * @example
 * import type { QueryClient } from '@tanstack/query-core'
 * import type { OperationQueryFilter } from '@headwater/core'
 * const refetch = (queryClient: QueryClient, filter: OperationQueryFilter) =>
 *   queryClient.invalidateQueries({ ...filter, refetchType: 'active' })
 */
export interface OperationQueryFilter {
  /** Prefix of the keys of the queries. */
  readonly queryKey: readonly unknown[]
  readonly predicate?: (query: { readonly queryKey: readonly unknown[] }) => boolean
}

/** The filter of the queries of an operation with some parameters. One that is undefined matches disabled queries only. */
export function createQueryFilter<Parameters extends object>(
  client: Client,
  { name }: Pick<AnyOperation<Parameters>, 'name'>,
  parameters?: { readonly [Name in keyof Parameters]?: Parameters[Name] | undefined },
): OperationQueryFilter {
  requireClient(client)
  const filter = { ...parameters, ...normalizeParameters(parameters ?? {}) }
  return { queryKey: createQueryKey(client.scope, name, filter) }
}

/**
 * TanStack query filter for all queries of an address: the balances, single balances and collectibles of a wallet, or the
 * info and the holders of a token. Invalidation refetches those that are watched, with all their loaded pages.
 *
 * @param client - The client.
 * @param address - Wallet or token, in any case; undefined matches no query.
 * @returns Filters for `invalidateQueries` and other methods of the query client.
 * @example
 * import { addressQueryFilter, createClient } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * await client.queryClient.invalidateQueries(addressQueryFilter(client, address))
 */
export function addressQueryFilter(
  client: Client,
  address: string | undefined,
): OperationQueryFilter {
  requireClient(client)
  const normalized = address?.toLowerCase()
  return {
    queryKey: createQueryKey(client.scope, '', {}).slice(0, 2),
    predicate: ({ queryKey }) => {
      const { parameters } = parseQueryKey(client.scope, queryKey.slice(0, 4)) ?? {}
      const { address: own } = (parameters ?? {}) as { address?: string }
      return own !== undefined && own === normalized
    },
  }
}
