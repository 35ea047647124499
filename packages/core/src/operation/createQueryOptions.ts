import { onlineManager } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { normalizeParameters } from './normalizeParameters.ts'
import type { ClientOperation } from './ClientOperation.ts'
import { getOperation } from './getOperation.ts'
import type { OperationQueryOptions } from './OperationQueryOptions.ts'
import { makeQueryKey } from './queryKey.ts'
import { retry, retryDelay } from './retry.ts'
import { shareAnswer } from './shareAnswer.ts'

/**
 * An operation as options for a TanStack query client. Of a listing they ask for the largest page, as a request costs the
 * same, unless `limit` says otherwise: the very question that a stream of the listing asks first.
 */
export function createQueryOptions<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ClientOperation<Parameters, Response, Item>,
  parameters: Parameters,
): OperationQueryOptions<Response> {
  const largest = operation.declaration.list?.limit.maximum ?? 1
  const normalized = normalizeParameters(
    largest > 1 ? { ...parameters, limit: limitOf(parameters, largest) } : parameters,
  )
  return {
    queryKey: makeQueryKey(client.baseUrl, operation.declaration.name, normalized),
    queryFn: ({ signal }) => getOperation(client, operation, normalized, { signal }),
    // On a server an answer that fails fails at once: nothing there may outlive the request. So does one without a
    // network, which is asked for all the same: the service may be near, and a request that waits says nothing.
    retry: (failureCount, error) =>
      !client.ssr && onlineManager.isOnline() && retry(failureCount, error),
    networkMode: 'always',
    refetchOnReconnect: true,
    retryDelay,
    structuralSharing: shareAnswer,
  }
}

/** A larger limit than the largest is reduced by the service, so it is the same question. */
function limitOf({ limit }: { limit?: unknown }, largest: number): unknown {
  return limit === undefined || (limit as number) > largest ? largest : limit
}
