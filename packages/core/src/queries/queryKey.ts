import type { OperationName } from '@headwater/contract'

const prefix = 'headwater'

interface ParsedQueryKey {
  readonly operation: OperationName
  /** Normalized. */
  readonly parameters: object
}

/** The query key of a request. `parameters` are normalized. */
export function createQueryKey(
  baseUrl: string,
  operation: string,
  parameters: object,
): readonly unknown[] {
  return [prefix, baseUrl, operation, parameters]
}

/** Parses a query key of the service at `baseUrl`; `undefined` for any other key in the same cache. */
export function parseQueryKey(
  baseUrl: string,
  queryKey: readonly unknown[],
): ParsedQueryKey | undefined {
  const [first, service, operation, parameters] = queryKey
  return first === prefix && service === baseUrl
    ? { operation: operation as OperationName, parameters: parameters as object }
    : undefined
}
