import type { Collectible, CollectiblesParameters, CollectiblesResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { ListParameters } from '../collections/CollectionOptions.ts'
import { listCollection, type ListOptions, type PagedList } from '../collections/listCollection.ts'
import { collectiblesOperation } from './collectiblesOperation.ts'

/**
 * Goes through the NFTs of a wallet, the newest acquired first, one item a token id. Reads the listing once, past the cache, to its end. Costs one unit a chain and page of up to 2,500; waits
 * where the client's budget says so.
 *
 * @param client - Knows the service.
 * @param parameters - Whose NFTs, on which chains.
 * @param options - How far.
 * @returns An async iterable and an observable of items, and of `pages`; see {@link PagedList}. Whoever consumes it gets
 *   the errors of a request, and a HeadwaterError when the service goes round in circles.
 * @example
 * import { createClient, listCollectibles } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const wallet = { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', chainIds: [1] }
 * for await (const collectible of listCollectibles(client, wallet)) {
 *   console.log(collectible.name, collectible.image_url)
 * }
 */
export function listCollectibles(
  client: Client,
  parameters: ListParameters<CollectiblesParameters>,
  options?: ListOptions,
): PagedList<Collectible, CollectiblesResponse> {
  return listCollection(client, collectiblesOperation, parameters, options)
}
