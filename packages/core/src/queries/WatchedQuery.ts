import type { QueryFunctionContext } from '@tanstack/query-core'
import type { InvalidParameterError } from '../errors/InvalidParameterError.ts'

/**
 * Options for any TanStack query client, from version 5.90.
 *
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import type { BalancesResponse, OperationQueryOptions } from '@headwater/core'
 * const fetch = (queryClient: QueryClient, options: OperationQueryOptions<BalancesResponse>) =>
 *   queryClient.fetchQuery(options)
 */
export interface OperationQueryOptions<Response> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: Pick<QueryFunctionContext, 'signal'>) => Promise<Response>
  readonly retry: (failureCount: number, error: Error) => boolean
  readonly retryDelay: (failureCount: number, error: Error) => number
  readonly networkMode: 'always'
  readonly refetchOnReconnect: boolean
  readonly structuralSharing: (previous: unknown, next: unknown) => unknown
}

/** A query that streams watch. */
export interface WatchedQuery<T> {
  readonly options: OperationQueryOptions<T>
  /** Estimated compute units of one fetch. */
  readonly getCost: () => number
  /** Set if the parameters are invalid; the query is then never fetched. */
  readonly invalid?: InvalidParameterError | undefined
}
