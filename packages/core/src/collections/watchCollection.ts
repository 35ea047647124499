import { hashKey } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import type { ListOperation } from '../operation/ClientOperation.ts'
import { createQuestion } from '../operation/createQuestion.ts'
import { streamKey } from '../streams/streamKey.ts'
import type { CollectionOptions, ListParameters } from './CollectionOptions.ts'
import type { CollectionStream } from './CollectionSnapshot.ts'
import { createCollectionSource } from './createCollectionSource.ts'
import { createListing } from './createListing.ts'
import type { Listing, Listings } from './Listing.ts'

const listingsOf = /* @__PURE__ */ perClient((client) => {
  const listings: Listings = { byQuery: new WeakMap(), watching: new Set(), isOver: false }
  client.onDestroy(() => (listings.isOver = true))
  return listings
})

/** An operation that lists as a stream of snapshots of all its rows. Its first page is as large as can be. */
export function watchCollection<
  Parameters extends object,
  Response extends object,
  Item,
  S,
  Errors,
>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  given: ListParameters<Parameters>,
  options: CollectionOptions<Item, S> = {},
): CollectionStream<Item, S, Errors> {
  const { maximum } = operation.declaration.list.limit
  const parameters = { ...given, limit: maximum } as unknown as Parameters
  const question = createQuestion(client, operation, parameters)
  const { pageSize, maxPages } = options
  const key = ['rows', pageSize, maxPages, streamKey(question.query, options)].join()
  const stream = client.streams.share(key, () => {
    const listings = listingsOf(client)
    // A placeholder of its own makes it a stream of its own: who comes to this listing comes to its first page too.
    const own: object = { ...options, placeholderData: () => undefined, select: undefined }
    const first = client.streams.watch<Response, Response>(question, own)
    const hash = question.invalid ? '' : hashKey(question.query.queryKey)
    const find = () => {
      const query = client.queryClient.getQueryCache().get(hash)
      if (!query) return undefined
      const found = listings.byQuery.get(query) as Listing<Item> | undefined
      if (found) return found
      const listing = createListing(client, operation, parameters, query, listings)
      listings.byQuery.set(query, listing)
      return listing
    }
    const isOver = () => listings.isOver || client.ssr
    return createCollectionSource(first, listings.watching, find, isOver, options)
  })
  return stream as CollectionStream<Item, S, Errors>
}
