import {
  type BalancesResponse,
  tokenBalance,
  type TokenBalanceParameters,
} from '@headwater/contract'
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
 * Fetches a wallet's balance of one token on one chain, and its value. One request, one attempt, bypassing the cache. Costs
 * one unit.
 *
 * @param client - The client.
 * @param parameters - Wallet, token and chain.
 * @param options - `signal` aborts the request; a `background` request waits for the budget.
 * @returns The response. Invalid parts are removed and reported in `warnings`.
 * @throws {InvalidParameterError | BudgetError} before the request is sent.
 * @throws {NetworkError | TimeoutError | HttpError | InvalidResponseError} when the request fails.
 * @throws {unknown} `signal.reason` when the signal aborts.
 * @example
 * import { createClient, getTokenBalance } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { balances: [balance] } = await getTokenBalance(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * })
 * console.log(balance?.amount)
 */
export function getTokenBalance(
  client: Client,
  parameters: TokenBalanceParameters,
  options?: RequestOptions,
): Promise<BalancesResponse> {
  return request(client, tokenBalance, parameters, options)
}

/**
 * TanStack query options for a wallet's balance of one token on one chain, and its value: for `fetchQuery`, `prefetchQuery`,
 * `useQuery`.
 *
 * @param client - The client.
 * @param parameters - Wallet, token and chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @returns Query key, query function, retries and structural sharing. Equivalent parameters have equal keys. The API key is
 *   not part of the key.
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
): OperationQueryOptions<BalancesResponse>
export function tokenBalanceQueryOptions(
  client: Client,
  parameters: QueryParameters<TokenBalanceParameters>,
): SkippableQueryOptions<BalancesResponse>
export function tokenBalanceQueryOptions(
  client: Client,
  parameters: QueryParameters<TokenBalanceParameters>,
): SkippableQueryOptions<BalancesResponse> {
  return createQueryOptions(client, tokenBalance, parameters)
}

/**
 * TanStack query filter for the queries of a wallet's balance of one token on one chain, and its value, with any further
 * parameters.
 *
 * @param client - The client.
 * @param parameters - Wallet and token; without them, the queries of all wallets. One that is undefined
 *   matches disabled queries only.
 * @returns Filters for `invalidateQueries` and other methods of the query client.
 * @example
 * import { createClient, tokenBalanceQueryFilter } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const filter = tokenBalanceQueryFilter(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' })
 * await client.queryClient.invalidateQueries(filter)
 */
export function tokenBalanceQueryFilter(
  client: Client,
  parameters?: {
    readonly address?: string | undefined
    readonly tokenAddress?: string | undefined
  },
): OperationQueryFilter {
  return createQueryFilter(client, tokenBalance, parameters)
}

/**
 * Watches a wallet's balance of one token on one chain, and its value. Costs one unit per poll, for any number of
 * subscribers.
 *
 * The stream is lazy and ref-counted, replays its latest snapshot synchronously and completes with the client; see
 * {@link SnapshotStream}. Invalid parameters are an error in the snapshot, and send nothing.
 *
 * @param client - The client.
 * @param parameters - Wallet, token and chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Polling and `select`.
 * @returns The stream; the same one for equivalent parameters and options, so it may be called on every render.
 * @example
 * import { createClient, watchTokenBalance } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchTokenBalance(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * }).subscribe(({ status, data, error }) => {
 *   if (status === 'success') console.log(data.balances[0]?.amount)
 *   if (status === 'error') console.log(error.shortMessage)
 * })
 * subscription.unsubscribe()
 */
export function watchTokenBalance<S = BalancesResponse>(
  client: Client,
  parameters: QueryParameters<TokenBalanceParameters>,
  options: WatchOptions<BalancesResponse, S> = {},
): SnapshotStream<S> {
  const query = createWatchedQuery(client, tokenBalance, parameters)
  return client.streams.watch(query, options)
}
