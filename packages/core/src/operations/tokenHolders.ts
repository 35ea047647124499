import {
  type Holder,
  tokenHolders,
  type TokenHoldersParameters,
  type TokenHoldersResponse,
} from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type {
  CollectionOptions,
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
 * Fetches a page of the holders of a token, largest balance first. One request, one attempt, bypassing the cache. Costs two
 * units.
 *
 * @param client - The client.
 * @param parameters - Token and chain; `offset` is the `next_offset` of the previous page.
 * @param options - `signal` aborts the request; a `background` request waits for the budget.
 * @returns The response. Invalid parts are removed and reported in `warnings`.
 * @throws {InvalidParameterError | BudgetError} before the request is sent.
 * @throws {NetworkError | TimeoutError | HttpError | InvalidResponseError} when the request fails.
 * @throws {unknown} `signal.reason` when the signal aborts.
 * @example
 * import { createClient, getTokenHolders } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { holders } = await getTokenHolders(client, {
 *   chainId: 1,
 *   address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
 *   limit: 10,
 * })
 * console.log(holders[0]?.balance)
 */
export function getTokenHolders(
  client: Client,
  parameters: TokenHoldersParameters,
  options?: RequestOptions,
): Promise<TokenHoldersResponse> {
  return request(client, tokenHolders, parameters, options)
}

/**
 * TanStack query options for a page of the holders of a token, largest balance first: for `fetchQuery`, `prefetchQuery`,
 * `useQuery`.
 *
 * @param client - The client.
 * @param parameters - Token and chain; `offset` is the `next_offset` of the previous page. Without `limit` and `offset`, the
 *   query is the first page of `watchTokenHolders`. While a required one is undefined, or with `skipToken`, nothing is
 *   requested.
 * @returns Query key, query function, retries and structural sharing. Equivalent parameters have equal keys. The API key is
 *   not part of the key.
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
): OperationQueryOptions<TokenHoldersResponse>
export function tokenHoldersQueryOptions(
  client: Client,
  parameters: QueryParameters<TokenHoldersParameters>,
): SkippableQueryOptions<TokenHoldersResponse>
export function tokenHoldersQueryOptions(
  client: Client,
  parameters: QueryParameters<TokenHoldersParameters>,
): SkippableQueryOptions<TokenHoldersResponse> {
  return createQueryOptions(client, tokenHolders, parameters)
}

/**
 * TanStack infinite query options for the holders of a token: for `useInfiniteQuery` and `fetchInfiniteQuery`, whose
 * refetches cover all loaded pages. `watchTokenHolders` polls only the first page, and removes duplicates.
 *
 * @param client - The client.
 * @param parameters - Token and chain. Pages are as large as possible.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @returns Query key, query function, cursors of pages, retries and structural sharing.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { createClient, tokenHoldersInfiniteQueryOptions } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * const { pages } = await queryClient.fetchInfiniteQuery({
 *   ...tokenHoldersInfiniteQueryOptions(client, { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }),
 *   pages: 3,
 * })
 */
export function tokenHoldersInfiniteQueryOptions(
  client: Client,
  parameters: QueryParameters<ListParameters<TokenHoldersParameters>>,
): OperationInfiniteQueryOptions<TokenHoldersResponse> {
  return createInfiniteQueryOptions(client, tokenHolders, parameters)
}

/**
 * TanStack query filter for the queries of the holders of a token, with any further parameters. Invalidation also refetches
 * all loaded pages of listings.
 *
 * @param client - The client.
 * @param parameters - Token and chain; without them, the queries of all tokens. One that is undefined
 *   matches disabled queries only.
 * @returns Filters for `invalidateQueries` and other methods of the query client.
 * @example
 * import { createClient, tokenHoldersQueryFilter } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const filter = tokenHoldersQueryFilter(client, { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' })
 * await client.queryClient.invalidateQueries(filter)
 */
export function tokenHoldersQueryFilter(
  client: Client,
  parameters?: { readonly chainId?: number | undefined; readonly address?: string | undefined },
): OperationQueryFilter {
  return createQueryFilter(client, tokenHolders, parameters)
}

/**
 * Watches the holders of a token, largest balance first, one row per holder. Costs two units per poll, for any number of
 * subscribers.
 *
 * A poll refetches the first page, the 500 largest holders; `fetchNextPage` loads more. Other loaded pages are refetched
 * every `tailRefetchInterval`, and when rows left the first page; by default this costs at most a third of the polls.
 *
 * The stream is lazy and ref-counted, replays its latest snapshot synchronously and completes with the client; see
 * {@link SnapshotStream}. Invalid parameters are an error in the snapshot, and send nothing.
 *
 * @param client - The client.
 * @param parameters - Token and chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Polling, `select` and page size.
 * @returns The stream; the same one for equivalent parameters and options, so it may be called on every render.
 * @example
 * import { createClient, watchTokenHolders } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const usdc = { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }
 * const stream = watchTokenHolders(client, usdc, { pageSize: 50 })
 * const subscription = stream.subscribe(({ data, hasNextPage, fetchNextPage }) => {
 *   console.log(data?.map(({ wallet_address }) => wallet_address))
 *   if (hasNextPage && data && data.length < 200) void fetchNextPage()
 * })
 * subscription.unsubscribe()
 */
export function watchTokenHolders<S = readonly Holder[]>(
  client: Client,
  parameters: QueryParameters<ListParameters<TokenHoldersParameters>>,
  options?: CollectionOptions<Holder, S>,
): CollectionStream<Holder, S> {
  return watchCollection(client, tokenHolders, parameters, options)
}

/**
 * Iterates over the holders of a token, largest balance first, one item per holder. Reads the listing once, to its end,
 * bypassing the cache. Costs two units per page of up to 500; requests wait for the budget.
 *
 * @param client - The client.
 * @param parameters - Token and chain.
 * @param options - How far to read.
 * @returns An async iterable and an observable of items, and of `pages`; see {@link Paginator}. Consumers receive the
 *   errors of requests, and an `InvalidResponseError` if the service repeats pages.
 * @example
 * import { createClient, paginateTokenHolders } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const usdc = { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }
 * for await (const holder of paginateTokenHolders(client, usdc)) {
 *   console.log(holder.wallet_address, holder.balance)
 * }
 */
export function paginateTokenHolders(
  client: Client,
  parameters: ListParameters<TokenHoldersParameters>,
  options?: PaginateOptions,
): Paginator<Holder, TokenHoldersResponse> {
  return paginate(client, tokenHolders, parameters, options)
}
