import type { Holder, TokenHoldersParameters, TokenHoldersResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { ListParameters } from '../collections/CollectionOptions.ts'
import { listCollection, type ListOptions, type PagedList } from '../collections/listCollection.ts'
import { tokenHoldersOperation } from './tokenHoldersOperation.ts'

/**
 * Goes through who holds a token, the largest holders first, one item a holder. Reads the listing once, past the cache, to its end. Costs two units a page of up to 500; waits
 * where the client's budget says so.
 *
 * @param client - Knows the service.
 * @param parameters - Which token, on which chain.
 * @param options - How far.
 * @returns An async iterable and an observable of items, and of `pages`; see {@link PagedList}. Whoever consumes it gets
 *   the errors of a request, and a HeadwaterError when the service goes round in circles.
 * @example
 * import { createClient, listTokenHolders } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const usdc = { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }
 * for await (const holder of listTokenHolders(client, usdc)) {
 *   console.log(holder.wallet_address, holder.balance)
 * }
 */
export function listTokenHolders(
  client: Client,
  parameters: ListParameters<TokenHoldersParameters>,
  options?: ListOptions,
): PagedList<Holder, TokenHoldersResponse> {
  return listCollection(client, tokenHoldersOperation, parameters, options)
}
