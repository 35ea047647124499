import { tokenInfo, type TokenInfoParameters, type TokenInfoResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { createQueryFilter, type OperationQueryFilter } from '../queries/queryFilters.ts'
import { createQueryOptions, createWatchedQuery } from '../queries/queryOptions.ts'
import type {
  OperationQueryOptions,
  QueryParameters,
  SkippableQueryOptions,
} from '../queries/WatchedQuery.ts'
import type { WatchOptions } from '../queries/WatchOptions.ts'
import { request, type RequestOptions } from '../requests/request.ts'
import type { SnapshotStream } from '../snapshots/Snapshot.ts'

/**
 * Fetches the metadata, price and supply of a token or native asset. One request, one attempt, bypassing the cache. Costs two
 * units.
 *
 * @param client - The client.
 * @param parameters - Token and chain.
 * @param options - `signal` aborts the request; a `background` request waits for the budget.
 * @returns The response. Invalid parts are removed and reported in `warnings`.
 * @throws {InvalidParameterError | BudgetError} before the request is sent.
 * @throws {NetworkError | TimeoutError | HttpError | InvalidResponseError} when the request fails.
 * @throws {unknown} `signal.reason` when the signal aborts.
 * @example
 * import { createClient, getTokenInfo } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { tokens: [token] } = await getTokenInfo(client, {
 *   address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
 *   chainIds: [1],
 * })
 * console.log(token?.price_usd)
 */
export function getTokenInfo(
  client: Client,
  parameters: TokenInfoParameters,
  options?: RequestOptions,
): Promise<TokenInfoResponse> {
  return request(client, tokenInfo, parameters, options)
}

/**
 * TanStack query options for the metadata, price and supply of a token or native asset: for `fetchQuery`, `prefetchQuery`,
 * `useQuery`.
 *
 * @param client - The client.
 * @param parameters - Token and chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @returns Query key, query function, retries and structural sharing. Equivalent parameters have equal keys. The API key is
 *   not part of the key.
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
): OperationQueryOptions<TokenInfoResponse>
export function tokenInfoQueryOptions(
  client: Client,
  parameters: QueryParameters<TokenInfoParameters>,
): SkippableQueryOptions<TokenInfoResponse>
export function tokenInfoQueryOptions(
  client: Client,
  parameters: QueryParameters<TokenInfoParameters>,
): SkippableQueryOptions<TokenInfoResponse> {
  return createQueryOptions(client, tokenInfo, parameters)
}

/**
 * TanStack query filter for the queries of the metadata, price and supply of a token or native asset, with any further
 * parameters.
 *
 * @param client - The client.
 * @param parameters - Token; without them, the queries of all tokens. One that is undefined
 *   matches disabled queries only.
 * @returns Filters for `invalidateQueries` and other methods of the query client.
 * @example
 * import { createClient, tokenInfoQueryFilter } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const filter = tokenInfoQueryFilter(client, { address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' })
 * await client.queryClient.invalidateQueries(filter)
 */
export function tokenInfoQueryFilter(
  client: Client,
  parameters?: { readonly address?: string | undefined },
): OperationQueryFilter {
  return createQueryFilter(client, tokenInfo, parameters)
}

/**
 * Watches the metadata, price and supply of a token or native asset. Costs two units per poll, for any number of subscribers.
 *
 * The stream is lazy and ref-counted, replays its latest snapshot synchronously and completes with the client; see
 * {@link SnapshotStream}. Invalid parameters are an error in the snapshot, and send nothing.
 *
 * @param client - The client.
 * @param parameters - Token and chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Polling and `select`.
 * @returns The stream; the same one for equivalent parameters and options, so it may be called on every render.
 * @example
 * import { createClient, watchTokenInfo } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchTokenInfo(client, {
 *   address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
 *   chainIds: [1],
 * }).subscribe(({ status, data, error }) => {
 *   if (status === 'success') console.log(data.tokens[0]?.price_usd)
 *   if (status === 'error') console.log(error.shortMessage)
 * })
 * subscription.unsubscribe()
 */
export function watchTokenInfo<S = TokenInfoResponse>(
  client: Client,
  parameters: QueryParameters<TokenInfoParameters>,
  options: WatchOptions<TokenInfoResponse, S> = {},
): SnapshotStream<S> {
  const query = createWatchedQuery(client, tokenInfo, parameters)
  return client.streams.watch(query, options)
}
