import type { QueryFunctionContext } from '@tanstack/query-core'

/** Options that every TanStack query client from 5.90 on takes. */
export interface OperationQueryOptions<Response> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: Pick<QueryFunctionContext, 'signal'>) => Promise<Response>
  readonly retry: (failureCount: number, error: Error) => boolean
  readonly retryDelay: (failureCount: number, error: Error) => number
  readonly networkMode: 'always'
  readonly refetchOnReconnect: boolean
  readonly structuralSharing: (previous: unknown, next: unknown) => unknown
}
