import {
  type Collectible,
  collectibles,
  type CollectiblesErrors,
  type CollectiblesParameters,
  type CollectiblesResponse,
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
 * Fetches a page of a wallet's NFTs, most recently acquired first. One request, one attempt, bypassing the cache. Costs one
 * unit per chain.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains; `offset` is the `next_offset` of the previous page.
 * @param options - `signal` aborts the request; a `background` request waits for the budget.
 * @returns The response. Invalid parts are removed and reported in `warnings`.
 * @throws {InvalidParameterError | BudgetError} before the request is sent.
 * @throws {NetworkError | TimeoutError | HttpError | InvalidResponseError} when the request fails.
 * @throws {unknown} `signal.reason` when the signal aborts.
 * @example
 * import { createClient, getCollectibles } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { entries } = await getCollectibles(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   chainIds: [1, 8453],
 * })
 * console.log(entries[0]?.image_url)
 */
export function getCollectibles(
  client: Client,
  parameters: CollectiblesParameters,
  options?: RequestOptions,
): Promise<CollectiblesResponse> {
  return request(client, collectibles, parameters, options)
}

/**
 * TanStack query options for a page of a wallet's NFTs, most recently acquired first: for `fetchQuery`, `prefetchQuery`,
 * `useQuery`.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains; `offset` is the `next_offset` of the previous page. Without `limit` and `offset`,
 *   the query is the first page of `watchCollectibles`. While a required one is undefined, or with `skipToken`, nothing is
 *   requested.
 * @returns Query key, query function, retries and structural sharing. Equivalent parameters have equal keys. The API key is
 *   not part of the key.
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
): OperationQueryOptions<CollectiblesResponse>
export function collectiblesQueryOptions(
  client: Client,
  parameters: QueryParameters<CollectiblesParameters>,
): SkippableQueryOptions<CollectiblesResponse>
export function collectiblesQueryOptions(
  client: Client,
  parameters: QueryParameters<CollectiblesParameters>,
): SkippableQueryOptions<CollectiblesResponse> {
  return createQueryOptions(client, collectibles, parameters)
}

/**
 * TanStack infinite query options for the NFTs of a wallet: for `useInfiniteQuery` and `fetchInfiniteQuery`, whose refetches
 * cover all loaded pages. `watchCollectibles` polls only the first page, and removes duplicates.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains. Pages are as large as possible.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @returns Query key, query function, cursors of pages, retries and structural sharing.
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import { createClient, collectiblesInfiniteQueryOptions } from '@headwater/core'
 * const queryClient = new QueryClient()
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', queryClient })
 * const { pages } = await queryClient.fetchInfiniteQuery({
 *   ...collectiblesInfiniteQueryOptions(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }),
 *   pages: 3,
 * })
 */
export function collectiblesInfiniteQueryOptions(
  client: Client,
  parameters: QueryParameters<ListParameters<CollectiblesParameters>>,
): OperationInfiniteQueryOptions<CollectiblesResponse> {
  return createInfiniteQueryOptions(client, collectibles, parameters)
}

/**
 * TanStack query filter for the queries of the NFTs of a wallet, with any further parameters. Invalidation also refetches all
 * loaded pages of listings.
 *
 * @param client - The client.
 * @param parameters - Wallet; without them, the queries of all wallets. One that is undefined
 *   matches disabled queries only.
 * @returns Filters for `invalidateQueries` and other methods of the query client.
 * @example
 * import { createClient, collectiblesQueryFilter } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const filter = collectiblesQueryFilter(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' })
 * await client.queryClient.invalidateQueries(filter)
 */
export function collectiblesQueryFilter(
  client: Client,
  parameters?: { readonly address?: string | undefined },
): OperationQueryFilter {
  return createQueryFilter(client, collectibles, parameters)
}

/**
 * A snapshot of {@link watchCollectibles}: one row per NFT, or the result of `select`.
 *
 * @example
 * import type { CollectiblesSnapshot } from '@headwater/core'
 * const isWhole = ({ errors }: CollectiblesSnapshot) => errors?.chain_errors === undefined
 */
export type CollectiblesSnapshot<S = readonly Collectible[]> = CollectionSnapshot<
  Collectible,
  S,
  CollectiblesErrors
>

/**
 * Watches the NFTs of a wallet, most recently acquired first, one row per token id. Costs one unit per chain and poll, for
 * any number of subscribers.
 *
 * A poll refetches the first page, up to 2,500 NFTs; `fetchNextPage` loads more. Other loaded pages are refetched
 * every `tailRefetchInterval`, and when rows left the first page; by default this costs at most a third of the polls.
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
 * import { createClient, watchCollectibles } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * const stream = watchCollectibles(client, { address, chainIds: [1] }, { pageSize: 24 })
 * const subscription = stream.subscribe(({ data }) => {
 *   for (const { name, image_url } of data ?? []) console.log(name, image_url)
 * })
 * subscription.unsubscribe()
 */
export function watchCollectibles<S = readonly Collectible[]>(
  client: Client,
  parameters: QueryParameters<ListParameters<CollectiblesParameters>>,
  options?: CollectionOptions<Collectible, S>,
): CollectionStream<Collectible, S, CollectiblesErrors> {
  return watchCollection(client, collectibles, parameters, options)
}

/**
 * Iterates over the NFTs of a wallet, most recently acquired first, one item per token id. Reads the listing once, to its
 * end, bypassing the cache. Costs one unit per chain and page of up to 2,500; requests wait for the budget.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains.
 * @param options - How far to read.
 * @returns An async iterable and an observable of items, and of `pages`; see {@link Paginator}. Consumers receive the
 *   errors of requests, and an `InvalidResponseError` if the service repeats pages.
 * @example
 * import { createClient, paginateCollectibles } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const wallet = { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', chainIds: [1] }
 * for await (const collectible of paginateCollectibles(client, wallet)) {
 *   console.log(collectible.name, collectible.image_url)
 * }
 */
export function paginateCollectibles(
  client: Client,
  parameters: ListParameters<CollectiblesParameters>,
  options?: PaginateOptions,
): Paginator<Collectible, CollectiblesResponse> {
  return paginate(client, collectibles, parameters, options)
}
