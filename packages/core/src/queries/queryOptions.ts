import { replaceEqualDeep, skipToken } from '@tanstack/query-core'
import type { AnyOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { requireClient } from '../client/requireClient.ts'
import { isObject } from '../isObject.ts'
import { isSkipped, normalizeParameters, validateParameters } from '../requests/parameters.ts'
import { request } from '../requests/request.ts'
import { responseOrigins } from '../requests/responseOrigins.ts'
import { createQueryKey, parseQueryKey } from './queryKey.ts'
import { createRetryOptions } from './retryOptions.ts'
import type { OperationQueryOptions, QueryParameters, WatchedQuery } from './WatchedQuery.ts'

/**
 * The query options of an operation. A page of a listing is the largest one unless `limit` is given, as every page costs
 * the same; so it is the query that a stream of the listing fetches first.
 */
export function createQueryOptions<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: AnyOperation<Parameters, Response, Item>,
  input: QueryParameters<Parameters>,
): OperationQueryOptions<Response> {
  requireClient(client)
  const parameters = input as Parameters
  const maxLimit = operation.pagination?.limit.maximum ?? 1
  const normalized = normalizeParameters(
    maxLimit > 1 ? { ...parameters, limit: getLimit(Object(parameters), maxLimit) } : parameters,
  )
  const queryKey = createQueryKey(client.scope, operation.name, normalized)
  return {
    queryKey: queryKey as OperationQueryOptions<Response>['queryKey'],
    queryFn: isSkipped(operation, input)
      ? (skipToken as never)
      : ({ signal }) => request(client, operation, normalized, { signal }),
    ...createRetryOptions(client.ssr, client.streams.defaults),
    networkMode: 'always',
    refetchOnReconnect: true,
    structuralSharing: shareResponse,
  }
}

/** The query of an operation, for streams. */
export function createWatchedQuery<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: AnyOperation<Parameters, Response, Item>,
  parameters: QueryParameters<Parameters>,
): WatchedQuery<Response> {
  const options = createQueryOptions(client, operation, parameters)
  return {
    options,
    isSkipped: (options.queryFn as unknown) === skipToken,
    getCost: () => {
      const key = parseQueryKey(client.scope, options.queryKey)
      return client.usageTracker.estimate(operation, key?.parameters as Parameters)
    },
    invalid: validateParameters(operation, parameters),
  }
}

/** The service reduces a larger limit to the maximum, so both are the same query. */
function getLimit({ limit }: { limit?: unknown }, maxLimit: number): unknown {
  return limit === undefined || (limit as number) > maxLimit ? maxLimit : limit
}

/**
 * Structural sharing: unchanged parts of a response keep their identity. A response that differs from the previous one only
 * in its timestamps is the previous one.
 */
export function shareResponse(previous: unknown, next: unknown): unknown {
  if (!isObject(previous) || !isObject(next)) {
    return next
  }
  const before = withoutTimestamps(previous)
  const shared = replaceEqualDeep(before, withoutTimestamps(next))
  const result = shared === before ? previous : { ...next, ...shared }
  const origin = responseOrigins.get(next)
  if (origin) {
    responseOrigins.set(result, origin)
  }
  return result
}

function withoutTimestamps(response: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...response }
  delete copy.request_time
  delete copy.response_time
  return copy
}
