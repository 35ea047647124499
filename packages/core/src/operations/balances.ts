import {
  type Balance,
  balances,
  type BalancesErrors,
  type BalancesParameters,
  type BalancesResponse,
} from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type {
  CollectionOptions,
  CollectionSnapshot,
  CollectionStream,
  ListParameters,
} from '../collections/CollectionSnapshot.ts'
import {
  createInfiniteQueryOptions,
  type OperationInfiniteQueryOptions,
} from '../collections/infiniteQueryOptions.ts'
import { paginate, type PaginateOptions, type Paginator } from '../collections/paginate.ts'
import { watchCollection } from '../collections/watchCollection.ts'
import { createQueryFilter, type OperationQueryFilter } from '../queries/queryFilters.ts'
import { createQueryOptions } from '../queries/queryOptions.ts'
import type {
  OperationQueryOptions,
  QueryParameters,
  SkippableQueryOptions,
} from '../queries/WatchedQuery.ts'
import { request, type RequestOptions } from '../requests/request.ts'

/**
 * Fetches the token balances of a wallet and their value. One request, one attempt, bypassing the cache. Costs one unit per
 * chain.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains.
 * @param options - `signal` aborts the request; a `background` request waits for the budget.
 * @returns The response. Invalid parts are removed and reported in `warnings`.
 * @throws {InvalidParameterError | BudgetError} before the request is sent.
 * @throws {NetworkError | TimeoutError | HttpError | InvalidResponseError} when the request fails.
 * @throws {unknown} `signal.reason` when the signal aborts.
 * @example
 * import { createClient, getBalances } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { balances } = await getBalances(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   chainIds: [1, 8453],
 * })
 */
export function getBalances(
  client: Client,
  parameters: BalancesParameters,
  options?: RequestOptions,
): Promise<BalancesResponse> {
  return request(client, balances, parameters, options)
}

/**
 * TanStack query options for the token balances of a wallet and their value: for `fetchQuery`, `prefetchQuery`, `useQuery`.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains. Without `limit` and `offset`, the query is the first page of `watchBalances`.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @returns Query key, query function, retries and structural sharing. Equivalent parameters have equal keys. The API key is
 *   not part of the key.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { createClient, balancesQueryOptions } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * await queryClient.prefetchQuery(
 *   balancesQueryOptions(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }),
 * )
 */
export function balancesQueryOptions(
  client: Client,
  parameters: BalancesParameters,
): OperationQueryOptions<BalancesResponse>
export function balancesQueryOptions(
  client: Client,
  parameters: QueryParameters<BalancesParameters>,
): SkippableQueryOptions<BalancesResponse>
export function balancesQueryOptions(
  client: Client,
  parameters: QueryParameters<BalancesParameters>,
): SkippableQueryOptions<BalancesResponse> {
  return createQueryOptions(client, balances, parameters)
}

/**
 * TanStack infinite query options for the token balances of a wallet and their value: for `useInfiniteQuery` and
 * `fetchInfiniteQuery`, whose refetches cover all loaded pages. `watchBalances` polls only the first page, and removes
 * duplicates.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains. Pages are as large as possible.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @returns Query key, query function, cursors of pages, retries and structural sharing.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { createClient, balancesInfiniteQueryOptions } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * const { pages } = await queryClient.fetchInfiniteQuery({
 *   ...balancesInfiniteQueryOptions(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }),
 *   pages: 3,
 * })
 */
export function balancesInfiniteQueryOptions(
  client: Client,
  parameters: QueryParameters<ListParameters<BalancesParameters>>,
): OperationInfiniteQueryOptions<BalancesResponse> {
  return createInfiniteQueryOptions(client, balances, parameters)
}

/**
 * TanStack query filter for the queries of the token balances of a wallet and their value, with any further parameters.
 * Invalidation also refetches all loaded pages of listings.
 *
 * @param client - The client.
 * @param parameters - Wallet; without them, the queries of all wallets. One that is undefined
 *   matches disabled queries only.
 * @returns Filters for `invalidateQueries` and other methods of the query client.
 * @example
 * import { createClient, balancesQueryFilter } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const filter = balancesQueryFilter(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' })
 * await client.queryClient.invalidateQueries(filter)
 */
export function balancesQueryFilter(
  client: Client,
  parameters?: { readonly address?: string | undefined },
): OperationQueryFilter {
  return createQueryFilter(client, balances, parameters)
}

/**
 * A snapshot of {@link watchBalances}: one row per token, or the result of `select`.
 *
 * @example
 * import { type BalancesSnapshot, getTotalValueUsd } from '@headwater/core'
 * const total = ({ data }: BalancesSnapshot) => data && getTotalValueUsd(data)
 */
export type BalancesSnapshot<S = readonly Balance[]> = CollectionSnapshot<
  Balance,
  S,
  BalancesErrors
>

/**
 * Watches the token balances of a wallet and their value, one row per token. Costs one unit per chain and poll, for any
 * number of subscribers.
 *
 * A poll refetches the first page, up to 1,000 tokens; `fetchNextPage` loads more. Other loaded pages are refetched every
 * `tailRefetchInterval`, and when rows left the first page; by default this costs at most a third of the polls.
 *
 * The stream is lazy and ref-counted, replays its latest snapshot synchronously and completes with the client; see
 * {@link SnapshotStream}. Invalid parameters are an error in the snapshot, and send nothing.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Polling, `select` and page size.
 * @returns The stream; the same one for equivalent parameters and options, so it may be called on every render.
 * @example
 * import { createClient, watchBalances } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchBalances(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 * }).subscribe(({ status, data, error }) => {
 *   if (status === 'success') console.log(data.length)
 *   if (status === 'error') console.log(error.shortMessage)
 * })
 * subscription.unsubscribe()
 */
export function watchBalances<S = readonly Balance[]>(
  client: Client,
  parameters: QueryParameters<ListParameters<BalancesParameters>>,
  options?: CollectionOptions<Balance, S>,
): CollectionStream<Balance, S, BalancesErrors> {
  return watchCollection(client, balances, parameters, options)
}

/**
 * Iterates over the token balances of a wallet, sorted by value, one item per token. Reads the listing once, to its end,
 * bypassing the cache. Costs one unit per chain and page of up to 1,000 tokens; requests wait for the budget.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains.
 * @param options - How far to read.
 * @returns An async iterable and an observable of items, and of `pages`; see {@link Paginator}. Consumers receive the
 *   errors of requests, and an `InvalidResponseError` if the service repeats pages.
 * @example
 * import { createClient, paginateBalances } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const wallet = { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }
 * for await (const balance of paginateBalances(client, wallet)) {
 *   console.log(balance.symbol, balance.amount)
 * }
 */
export function paginateBalances(
  client: Client,
  parameters: ListParameters<BalancesParameters>,
  options?: PaginateOptions,
): Paginator<Balance, BalancesResponse> {
  return paginate(client, balances, parameters, options)
}
