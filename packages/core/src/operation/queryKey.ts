import type { OperationName } from './OperationName.ts'

const house = 'headwater'

/** What a query key of ours says. */
interface Asked {
  readonly operation: OperationName
  /** Normalized. */
  readonly parameters: object
}

/** The key under which the answer to a question is in the cache. Its parameters are normalized. */
export function makeQueryKey(
  baseUrl: string,
  operation: string,
  parameters: object,
): readonly unknown[] {
  return [house, baseUrl, operation, parameters]
}

/** What a query key asks of a service; `undefined` for one of something else in the same cache. */
export function readQueryKey(baseUrl: string, queryKey: readonly unknown[]): Asked | undefined {
  const [first, service, operation, parameters] = queryKey
  return first === house && service === baseUrl
    ? { operation: operation as OperationName, parameters: parameters as object }
    : undefined
}
