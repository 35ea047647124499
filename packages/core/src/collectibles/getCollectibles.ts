import type { CollectiblesParameters, CollectiblesResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getOperation, type GetOptions } from '../operation/getOperation.ts'
import { collectiblesOperation } from './collectiblesOperation.ts'

/**
 * Asks once for a page of a wallet's NFTs, the newest acquired first.
 * One request, one attempt, past the cache. Costs one unit a chain.
 *
 * @param client - Knows the service.
 * @param parameters - Whose NFTs, on which chains; `offset` is the `next_offset` of the page before.
 * @param options - `signal` aborts the request; `background` lets it wait for the budget.
 * @returns The service's answer. What cannot be read of it is left out and reported in `warnings`.
 * @throws InvalidParameterError or BudgetError before anything is sent; NetworkError, TimeoutError, HttpError or
 *   MalformedAnswerError; the reason of the signal when it aborts.
 * @example
 * import { createClient, getCollectibles } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const { entries } = await getCollectibles(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   chainIds: [1, 8453],
 * })
 * console.log(entries[0]?.image_url)
 */
export function getCollectibles(
  client: Client,
  parameters: CollectiblesParameters,
  options?: GetOptions,
): Promise<CollectiblesResponse> {
  return getOperation(client, collectiblesOperation, parameters, options)
}
