import type { BalancesResponse, TokenBalanceParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getOperation, type GetOptions } from '../operation/getOperation.ts'
import { tokenBalanceOperation } from './tokenBalanceOperation.ts'

/**
 * Asks once what a wallet holds of one token on one chain, and its worth.
 * One request, one attempt, past the cache. Costs one unit.
 *
 * @param client - Knows the service.
 * @param parameters - Whose balance of which token, on which chain.
 * @param options - `signal` aborts the request; `background` lets it wait for the budget.
 * @returns The service's answer. What cannot be read of it is left out and reported in `warnings`.
 * @throws InvalidParameterError or BudgetError before anything is sent; NetworkError, TimeoutError, HttpError or
 *   MalformedAnswerError; the reason of the signal when it aborts.
 * @example
 * import { createClient, getTokenBalance } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { balances: [balance] } = await getTokenBalance(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * })
 * console.log(balance?.amount)
 */
export function getTokenBalance(
  client: Client,
  parameters: TokenBalanceParameters,
  options?: GetOptions,
): Promise<BalancesResponse> {
  return getOperation(client, tokenBalanceOperation, parameters, options)
}
