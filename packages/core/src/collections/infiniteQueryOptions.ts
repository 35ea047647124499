import {
  type DataTag,
  type InfiniteData,
  type QueryFunctionContext,
  replaceEqualDeep,
  type SkipToken,
  skipToken,
} from '@tanstack/query-core'
import type { ListOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { createQueryOptions, shareResponse } from '../queries/queryOptions.ts'
import type { OperationQueryOptions, QueryParameters } from '../queries/WatchedQuery.ts'
import { request } from '../requests/request.ts'
import type { ListParameters } from './CollectionSnapshot.ts'
import type { Page } from './pages.ts'

/** The cursor of a page; undefined for the first one. */
type PageParam = string | undefined

/**
 * Options of an infinite query of a listing, for any TanStack query client: `useInfiniteQuery`, `fetchInfiniteQuery`.
 *
 * @example
 * import { InfiniteQueryObserver, type QueryClient } from '@tanstack/query-core'
 * import type { BalancesResponse, OperationInfiniteQueryOptions } from '@headwater/core'
 * const observe = (client: QueryClient, options: OperationInfiniteQueryOptions<BalancesResponse>) =>
 *   new InfiniteQueryObserver(client, options)
 */
export interface OperationInfiniteQueryOptions<Response> extends Omit<
  OperationQueryOptions<Response>,
  'queryKey' | 'queryFn'
> {
  /** Carries the types of the pages and of errors. */
  readonly queryKey: DataTag<readonly unknown[], InfiniteData<Response, PageParam>, HeadwaterError>
  readonly queryFn:
    | ((
        context: Pick<QueryFunctionContext<readonly unknown[], PageParam>, 'signal' | 'pageParam'>,
      ) => Promise<Response>)
    | SkipToken
  readonly initialPageParam: PageParam
  readonly getNextPageParam: (
    lastPage: Response,
    pages: readonly Response[],
    lastPageParam: PageParam,
    pageParams: readonly PageParam[],
  ) => PageParam
}

/** The options of an infinite query of a listing, with the largest possible pages. */
export function createInfiniteQueryOptions<
  Parameters extends object,
  Response extends object,
  Item,
>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  parameters: QueryParameters<ListParameters<Parameters>>,
): OperationInfiniteQueryOptions<Response> {
  const { queryKey, queryFn, ...options } = createQueryOptions(
    client,
    operation,
    parameters as QueryParameters<Parameters>,
  )
  const isSkipped = (queryFn as unknown) === skipToken
  const firstPage = queryKey[3] as Parameters
  return {
    ...options,
    queryKey: [...queryKey, 'infinite'] as never,
    queryFn: isSkipped
      ? skipToken
      : ({ signal, pageParam: offset }) =>
          request(client, operation, { ...firstPage, offset }, { signal }),
    initialPageParam: undefined,
    // A service that repeats a cursor would never end.
    getNextPageParam: ({ next_offset }: Page, _pages, _pageParam, pageParams) =>
      next_offset && !pageParams.includes(next_offset) ? next_offset : undefined,
    structuralSharing: sharePages,
  }
}

/** Structural sharing of all pages, each as a response. */
function sharePages(previous: unknown, next: unknown): unknown {
  const before = previous as InfiniteData<unknown> | undefined
  const after = next as InfiniteData<unknown>
  const pages = after.pages.map((page, index) => shareResponse(before?.pages[index], page))
  return replaceEqualDeep(previous, { ...after, pages })
}
