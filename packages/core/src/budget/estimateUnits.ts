import {
  type AnyOperation,
  type OperationName,
  operations,
  type ParametersOf,
} from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { normalizeParameters } from '../requests/parameters.ts'

/**
 * Estimates the compute units of a request. Exact for token info, holders and single balances, and if all `chainIds` are
 * numbers of supported chains that are available. Only the service knows the number of chains behind a tag, or behind
 * omitted `chainIds`, and which chains it does not support or cannot read now, which cost nothing: the estimate is what it
 * charged the client for the same `chainIds` last, other than nothing, and before the first charge one unit per id or tag, or one
 * for none.
 *
 * @param operation - Name of the operation.
 * @param parameters - Parameters of the request; not validated.
 * @param client - Provides what the service charged before.
 * @returns Compute units of one successful response, which is one page of a listing. An error response costs nothing.
 * @example
 * import { estimateUnits } from '@headwater/core'
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * estimateUnits('balances', { address, chainIds: [1, 8453] }) // 2
 */
export function estimateUnits<Name extends OperationName>(
  operation: Name,
  parameters: ParametersOf<Name>,
  client?: Client,
): number {
  const declaration = operations[operation] as unknown as AnyOperation<object>
  const normalized = normalizeParameters(parameters)
  return client
    ? client.usageTracker.estimate(declaration, normalized)
    : declaration.cost(normalized, (chainIds) => chainIds?.length ?? 1)
}
