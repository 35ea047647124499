import type { Holder, TokenHoldersParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { CollectionOptions, ListParameters } from '../collections/CollectionOptions.ts'
import type { CollectionStream } from '../collections/CollectionSnapshot.ts'
import { watchCollection } from '../collections/watchCollection.ts'
import { tokenHoldersOperation } from './tokenHoldersOperation.ts'

/**
 * Watches who holds a token, the largest holders first, one row a holder. Costs two units a poll, however many watch; a
 * poll asks for the first page, the 500 largest, and `fetchNextPage` for more at two units a page. Where more
 * pages were read, rows that left the first are looked for on the second, which costs once more, at most once a minute.
 *
 * The stream is cold, shared, replays its newest snapshot synchronously and completes only with the client; see
 * {@link SnapshotStream}. Invalid parameters send nothing: they are an error in the snapshot.
 *
 * @param client - Knows the service and polls for all its streams.
 * @param parameters - Which token, on which chain.
 * @param options - How to watch.
 * @returns The stream; the same one for equal parameters and options, so it may be called at each render.
 * @example
 * import { createClient, watchTokenHolders } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const usdc = { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }
 * const stream = watchTokenHolders(client, usdc, { pageSize: 50 })
 * const subscription = stream.subscribe(({ data, hasNextPage, fetchNextPage }) => {
 *   console.log(data?.map(({ wallet_address }) => wallet_address))
 *   if (hasNextPage && data && data.length < 200) void fetchNextPage()
 * })
 * subscription.unsubscribe()
 */
export function watchTokenHolders<S = readonly Holder[]>(
  client: Client,
  parameters: ListParameters<TokenHoldersParameters>,
  options?: CollectionOptions<Holder, S>,
): CollectionStream<Holder, S> {
  return watchCollection(client, tokenHoldersOperation, parameters, options)
}
