import type { Collectible, CollectiblesParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { CollectionOptions, ListParameters } from '../collections/CollectionOptions.ts'
import type { CollectionStream } from '../collections/CollectionSnapshot.ts'
import { watchCollection } from '../collections/watchCollection.ts'
import { collectiblesOperation } from './collectiblesOperation.ts'

/**
 * Watches the NFTs of a wallet, the newest acquired first, one row a token id. Costs one unit a chain and poll, however
 * many watch; a poll asks for the first page, which holds up to 2,500, and `fetchNextPage` for more. Where more pages
 * were read, rows that left the first are looked for on the second, which costs once more, at most once a minute.
 *
 * The stream is cold, shared, replays its newest snapshot synchronously and completes only with the client; see
 * {@link SnapshotStream}. Invalid parameters send nothing: they are an error in the snapshot.
 *
 * @param client - Knows the service and polls for all its streams.
 * @param parameters - Whose NFTs, on which chains.
 * @param options - How to watch.
 * @returns The stream; the same one for equal parameters and options, so it may be called at each render.
 * @example
 * import { createClient, watchCollectibles } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * const stream = watchCollectibles(client, { address, chainIds: [1] }, { pageSize: 24 })
 * const subscription = stream.subscribe(({ data }) => {
 *   for (const { name, image_url } of data ?? []) console.log(name, image_url)
 * })
 * subscription.unsubscribe()
 */
export function watchCollectibles<S = readonly Collectible[]>(
  client: Client,
  parameters: ListParameters<CollectiblesParameters>,
  options?: CollectionOptions<Collectible, S>,
): CollectionStream<Collectible, S> {
  return watchCollection(client, collectiblesOperation, parameters, options)
}
