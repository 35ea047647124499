import type { QueryClient } from '@tanstack/query-core'
import type { OperationName } from '@headwater/contract'

const prefix = 'headwater'

export interface ParsedQueryKey {
  readonly operation: OperationName
  /** Normalized. */
  readonly parameters: object
}

/** The query key of a request. `parameters` are normalized. */
export function createQueryKey(
  scope: string,
  operation: string,
  parameters: object,
): readonly unknown[] {
  return [prefix, scope, operation, parameters]
}

/**
 * Parses a query key of a scope; `undefined` for any other key in the same cache, also for that of an infinite query, which
 * has an additional part.
 */
export function parseQueryKey(
  scope: string,
  queryKey: readonly unknown[],
): ParsedQueryKey | undefined {
  const [first, second, operation, parameters] = queryKey
  return first === prefix && second === scope && queryKey.length === 4
    ? { operation: operation as OperationName, parameters: parameters as object }
    : undefined
}

/** The hash of a query key in the cache. The app may have set another `queryKeyHashFn` as a default, for keys with bigints. */
export function getQueryHash(
  queryClient: Pick<QueryClient, 'defaultQueryOptions'>,
  queryKey: readonly unknown[],
): string {
  return queryClient.defaultQueryOptions({ queryKey }).queryHash
}
