import type { BalancesParameters, BalancesResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getOperation, type GetOptions } from '../operation/getOperation.ts'
import { balancesOperation } from './balancesOperation.ts'

/**
 * Asks once what a wallet holds and what it is worth. One request, one attempt, past the cache. Costs one unit a chain.
 *
 * @param client - Knows the service.
 * @param parameters - Whose balances, on which chains.
 * @param options - `signal` aborts the request; `background` lets it wait for the budget.
 * @returns The service's answer. What cannot be read of it is left out and reported in `warnings`.
 * @throws InvalidParameterError or BudgetError before anything is sent; NetworkError, TimeoutError, HttpError or
 *   MalformedAnswerError; the reason of the signal when it aborts.
 * @example
 * import { createClient, getBalances } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { balances } = await getBalances(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   chainIds: [1, 8453],
 * })
 */
export function getBalances(
  client: Client,
  parameters: BalancesParameters,
  options?: GetOptions,
): Promise<BalancesResponse> {
  return getOperation(client, balancesOperation, parameters, options)
}
