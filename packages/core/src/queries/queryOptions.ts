import { onlineManager, replaceEqualDeep, skipToken } from '@tanstack/query-core'
import type { AnyOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { type HeadwaterError, isHeadwaterError } from '../errors/HeadwaterError.ts'
import { getRetryAfter } from '../errors/retryPolicy.ts'
import { isObject } from '../isObject.ts'
import { isSkipped, normalizeParameters, validateParameters } from '../requests/parameters.ts'
import { request } from '../requests/request.ts'
import { createQueryKey, parseQueryKey } from './queryKey.ts'
import type { OperationQueryOptions, QueryParameters, WatchedQuery } from './WatchedQuery.ts'
import type { WatchOptions } from './WatchOptions.ts'

/**
 * The query options of an operation. A page of a listing is the largest one unless `limit` is given, as every page costs
 * the same; so it is the query that a stream of the listing fetches first.
 */
export function createQueryOptions<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: AnyOperation<Parameters, Response, Item>,
  input: QueryParameters<Parameters>,
): OperationQueryOptions<Response> {
  const parameters = input as Parameters
  const maxLimit = operation.pagination?.limit.maximum ?? 1
  const normalized = normalizeParameters(
    maxLimit > 1 ? { ...parameters, limit: getLimit(parameters, maxLimit) } : parameters,
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
 * The retries of a query. A server does not retry, as no timer may outlive its request. Neither does an offline client. It still
 * sends the first attempt (`networkMode: 'always'`): the service may be local, and a paused request reports nothing.
 */
export function createRetryOptions(
  ssr: boolean,
  { retry, retryDelay }: Pick<WatchOptions<unknown>, 'retry' | 'retryDelay'>,
): Pick<OperationQueryOptions<unknown>, 'retry' | 'retryDelay'> {
  return {
    retry: (failureCount, error) =>
      !ssr && onlineManager.isOnline() && shouldRetry(failureCount, error, retry),
    retryDelay: (failureCount, error) => getRetryDelay(failureCount, error, retryDelay),
  }
}

const maxRetries = 3
/** A longer delay than this is reported immediately instead of waiting for it. */
const maxRetryAfterMs = 5000

/** Retries errors that may resolve within seconds, up to a number of times. A function decides for any error. */
export function shouldRetry(
  failureCount: number,
  error: unknown,
  retry: WatchOptions<unknown>['retry'] = maxRetries,
): boolean {
  if (typeof retry === 'function') {
    return retry(failureCount, error as HeadwaterError)
  }
  return (
    failureCount < (retry === true ? Infinity : Number(retry)) &&
    isHeadwaterError(error) &&
    error.isRetryable &&
    getRetryAfter(error) <= maxRetryAfterMs
  )
}

/**
 * Milliseconds before a retry: the delay that the service requested, else exponential. Jittered, so that clients spread. A delay
 * of the app is used if it is longer than that of the service.
 */
export function getRetryDelay(
  failureCount: number,
  error: unknown,
  retryDelay?: WatchOptions<unknown>['retryDelay'],
): number {
  const retryAfter = getRetryAfter(error)
  if (retryDelay !== undefined) {
    const delay =
      typeof retryDelay === 'function'
        ? retryDelay(failureCount, error as HeadwaterError)
        : retryDelay
    return Math.max(delay, retryAfter)
  }
  if (retryAfter > 0) {
    return retryAfter + Math.random() * 1000
  }
  return 1000 * 2 ** failureCount * (0.5 + Math.random() / 2)
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
  return shared === before ? previous : { ...next, ...shared }
}

function withoutTimestamps(response: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...response }
  delete copy.request_time
  delete copy.response_time
  return copy
}
