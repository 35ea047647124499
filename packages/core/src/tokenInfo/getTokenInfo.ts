import type { TokenInfoParameters, TokenInfoResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getOperation, type GetOptions } from '../operation/getOperation.ts'
import { tokenInfoOperation } from './tokenInfoOperation.ts'

/**
 * Asks once what is known of a token or of a native asset: texts, price, supply.
 * One request, one attempt, past the cache. Costs two units.
 *
 * @param client - Knows the service.
 * @param parameters - Which token, on which chain.
 * @param options - `signal` aborts the request; `background` lets it wait for the budget.
 * @returns The service's answer. What cannot be read of it is left out and reported in `warnings`.
 * @throws InvalidParameterError or BudgetError before anything is sent; NetworkError, TimeoutError, HttpError or
 *   MalformedAnswerError; the reason of the signal when it aborts.
 * @example
 * import { createClient, getTokenInfo } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { tokens: [token] } = await getTokenInfo(client, {
 *   address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
 *   chainIds: [1],
 * })
 * console.log(token?.price_usd)
 */
export function getTokenInfo(
  client: Client,
  parameters: TokenInfoParameters,
  options?: GetOptions,
): Promise<TokenInfoResponse> {
  return getOperation(client, tokenInfoOperation, parameters, options)
}
