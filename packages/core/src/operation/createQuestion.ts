import type { Client } from '../client/Client.ts'
import type { Question } from '../streams/Question.ts'
import type { ClientOperation } from './ClientOperation.ts'
import { createQueryOptions } from './createQueryOptions.ts'
import { findInvalidParameter } from './findInvalidParameter.ts'

/** An operation with its parameters, as streams ask it. */
export function createQuestion<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ClientOperation<Parameters, Response, Item>,
  parameters: Parameters,
): Question<Response> {
  const query = createQueryOptions(client, operation, parameters)
  return {
    query,
    cost: () => client.ledger.costOf(operation.declaration, query.queryKey[3] as Parameters),
    invalid: findInvalidParameter(operation, parameters),
  }
}
