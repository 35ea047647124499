import type { DataTag, QueryFunctionContext, SkipToken } from '@tanstack/query-core'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { InvalidParameterError } from '../errors/InvalidParameterError.ts'

/**
 * Parameters of a query that may not be known yet, such as the address of a wallet that is not connected. While a required
 * one is undefined, or with TanStack's `skipToken` in place of all of them, the query is disabled: pending, without a
 * request.
 *
 * @example
 * import { skipToken, type BalancesParameters, type QueryParameters } from '@headwater/core'
 * const connected = (address: string | undefined): QueryParameters<BalancesParameters> =>
 *   address === undefined ? skipToken : { address }
 */
export type QueryParameters<Parameters> =
  { readonly [Name in keyof Parameters]: Parameters[Name] | undefined } | SkipToken

/**
 * Options for any TanStack query client, from version 5.75.
 *
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import type { BalancesResponse, OperationQueryOptions } from '@headwater/core'
 * const fetch = (queryClient: QueryClient, options: OperationQueryOptions<BalancesResponse>) =>
 *   queryClient.fetchQuery(options)
 */
export interface OperationQueryOptions<Response> {
  /** Carries the types of the response and of errors: `queryClient.getQueryData(queryKey)` is typed. */
  readonly queryKey: DataTag<readonly unknown[], Response, HeadwaterError>
  readonly queryFn: (context: Pick<QueryFunctionContext, 'signal'>) => Promise<Response>
  readonly retry: (failureCount: number, error: HeadwaterError) => boolean
  readonly retryDelay: (failureCount: number, error: HeadwaterError) => number
  readonly networkMode: 'always'
  readonly refetchOnReconnect: boolean
  readonly structuralSharing: (previous: unknown, next: unknown) => unknown
}

/**
 * {@link OperationQueryOptions} of parameters that may not be known yet: the query function is then TanStack's `skipToken`,
 * which disables the query.
 *
 * @example
 * import { QueryObserver, type QueryClient } from '@tanstack/query-core'
 * import type { BalancesResponse, SkippableQueryOptions } from '@headwater/core'
 * const observe = (client: QueryClient, options: SkippableQueryOptions<BalancesResponse>) =>
 *   new QueryObserver(client, options)
 */
export interface SkippableQueryOptions<Response> extends Omit<
  OperationQueryOptions<Response>,
  'queryFn'
> {
  readonly queryFn: OperationQueryOptions<Response>['queryFn'] | SkipToken
}

/** A query that streams watch. */
export interface WatchedQuery<T> {
  readonly options: OperationQueryOptions<T>
  /** Whether its parameters are not known yet; its streams are then disabled. */
  readonly isSkipped: boolean
  /** Estimated compute units of one fetch. */
  readonly getCost: () => number
  /** Set if the parameters are invalid; the query is then never fetched. */
  readonly invalid?: InvalidParameterError | undefined
}
