import type { QueryFunctionContext } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { normalizeParameters } from './normalizeParameters.ts'
import type { ClientOperation } from './ClientOperation.ts'
import { getOperation } from './getOperation.ts'
import { retry, retryDelay } from './retry.ts'
import { shareAnswer } from './shareAnswer.ts'

/** Options that every TanStack query client from 5.90 on takes. */
export interface OperationQueryOptions<Response> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: Pick<QueryFunctionContext, 'signal'>) => Promise<Response>
  readonly retry: (failureCount: number, error: Error) => boolean
  readonly retryDelay: (failureCount: number, error: Error) => number
  readonly structuralSharing: (previous: unknown, next: unknown) => unknown
}

/** An operation as options for a TanStack query client. */
export function operationQueryOptions<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ClientOperation<Parameters, Response, Item>,
  parameters: Parameters,
): OperationQueryOptions<Response> {
  const normalized = normalizeParameters(parameters)
  return {
    queryKey: ['headwater', client.baseUrl, operation.declaration.name, normalized],
    queryFn: ({ signal }) => getOperation(client, operation, normalized, { signal }),
    // On a server an answer that fails fails at once: nothing there may outlive the request.
    retry: (failureCount, error) => !client.ssr && retry(failureCount, error),
    retryDelay,
    structuralSharing: shareAnswer,
  }
}
