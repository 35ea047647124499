import type { Balance, BalancesParameters, BalancesResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { ListParameters } from '../collections/CollectionOptions.ts'
import { listCollection, type ListOptions, type PagedList } from '../collections/listCollection.ts'
import { balancesOperation } from './balancesOperation.ts'

/**
 * Goes through what a wallet holds and what it is worth, one item a token. Reads the listing once, past the cache, to its end. Costs one unit a chain and page of up to a thousand tokens; waits
 * where the client's budget says so.
 *
 * @param client - Knows the service.
 * @param parameters - Whose balances, on which chains.
 * @param options - How far.
 * @returns An async iterable and an observable of items, and of `pages`; see {@link PagedList}. Whoever consumes it gets
 *   the errors of a request, and a HeadwaterError when the service goes round in circles.
 * @example
 * import { createClient, listBalances } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const wallet = { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }
 * for await (const balance of listBalances(client, wallet)) {
 *   console.log(balance.symbol, balance.amount)
 * }
 */
export function listBalances(
  client: Client,
  parameters: ListParameters<BalancesParameters>,
  options?: ListOptions,
): PagedList<Balance, BalancesResponse> {
  return listCollection(client, balancesOperation, parameters, options)
}
