import type { TokenHoldersParameters, TokenHoldersResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getOperation, type GetOptions } from '../operation/getOperation.ts'
import { tokenHoldersOperation } from './tokenHoldersOperation.ts'

/**
 * Asks once who holds a token, the largest holders first. One request, one attempt, past the cache. Costs two units.
 *
 * @param client - Knows the service.
 * @param parameters - Which token, on which chain; `offset` is the `next_offset` of the page before.
 * @param options - `signal` aborts the request; `background` lets it wait for the budget.
 * @returns The service's answer. What cannot be read of it is left out and reported in `warnings`.
 * @throws InvalidParameterError or BudgetError before anything is sent; NetworkError, TimeoutError, HttpError or
 *   MalformedAnswerError; the reason of the signal when it aborts.
 * @example
 * import { createClient, getTokenHolders } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { holders } = await getTokenHolders(client, {
 *   chainId: 1,
 *   address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
 *   limit: 10,
 * })
 * console.log(holders[0]?.balance)
 */
export function getTokenHolders(
  client: Client,
  parameters: TokenHoldersParameters,
  options?: GetOptions,
): Promise<TokenHoldersResponse> {
  return getOperation(client, tokenHoldersOperation, parameters, options)
}
