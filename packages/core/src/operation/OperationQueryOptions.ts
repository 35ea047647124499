import type { QueryFunctionContext } from '@tanstack/query-core'

/**
 * Options that every TanStack query client from 5.90 on takes.
 *
 * @example
 * import { QueryClient } from '@tanstack/query-core'
 * import type { BalancesResponse, OperationQueryOptions } from '@headwater/core'
 * const ask = (queryClient: QueryClient, options: OperationQueryOptions<BalancesResponse>) =>
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
