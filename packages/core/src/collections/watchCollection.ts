import { hashKey } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import type { ListOperation } from '../operation/ClientOperation.ts'
import { createQuestion } from '../operation/createQuestion.ts'
import { streamKey } from '../streams/streamKey.ts'
import type { CollectionOptions, ListParameters } from './CollectionOptions.ts'
import type { CollectionStream } from './CollectionSnapshot.ts'
import { CollectionSource } from './CollectionSource.ts'
import { createPageReader, toPage } from './createPageReader.ts'
import { Listing } from './Listing.ts'

/** The listings of a client, by the query of their first page: each lives for as long as the cache keeps that. */
const listingsOf = perClient(() => new WeakMap<object, unknown>())

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
  parameters: ListParameters<Parameters>,
  options: CollectionOptions<Item, S> = {},
): CollectionStream<Item, S, Errors> {
  const { limit, identity } = operation.declaration.list
  const first = { ...parameters, limit: limit.maximum } as unknown as Parameters
  const question = createQuestion(client, operation, first)
  const { pageSize, maxPages } = options
  const key = ['rows', pageSize, maxPages, streamKey(question.query, options)].join()
  const stream = client.streams.share(key, () => {
    // A placeholder of its own makes it a stream of its own: who comes to this listing comes to its first page too.
    const own: object = { ...options, placeholderData: () => undefined, select: undefined }
    const head = client.streams.watch<Response, Response>(question, own)
    const hash = question.invalid ? '' : hashKey(question.query.queryKey)
    const listings = listingsOf(client)
    const find = () => {
      const query = client.queryClient.getQueryCache().get(hash)
      if (query === undefined) return undefined
      const found = listings.get(query) as Listing<Item> | undefined
      if (found) return found
      const listing = new Listing<Item>({
        read: createPageReader(client, operation, first),
        toPage: (answer) => toPage(operation, answer as Response),
        identity,
      })
      listings.set(query, listing)
      return listing
    }
    return new CollectionSource(head, find, options)
  })
  return stream as CollectionStream<Item, S, Errors>
}
