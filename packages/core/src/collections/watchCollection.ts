import { skipToken } from '@tanstack/query-core'
import type { ListOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import { getQueryHash } from '../queries/queryKey.ts'
import { createWatchedQuery } from '../queries/queryOptions.ts'
import type { QueryParameters } from '../queries/WatchedQuery.ts'
import {
  createStreamKey,
  getInterval,
  prepareOptions,
  resolveWatchOptions,
} from '../queries/WatchOptions.ts'
import { rejectCounts, rejectPaging } from '../requests/parameters.ts'
import type { CollectionOptions, CollectionStream, ListParameters } from './CollectionSnapshot.ts'
import { type Collection, CollectionSource } from './CollectionSource.ts'
import { type CollectionRegistry, PagedCollection } from './PagedCollection.ts'
import { TailPoll } from './TailPoll.ts'

const getRegistry = /* @__PURE__ */ perClient((client) => {
  const registry: CollectionRegistry = {
    byQuery: new WeakMap(),
    updates: new Set(),
    isDestroyed: false,
  }
  const unsubscribe = client.queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated') {
      registry.byQuery.get(event.query)?.onHeadUpdate(event.action.type)
    }
  })
  client.onDestroy(() => {
    unsubscribe()
    registry.isDestroyed = true
  })
  return registry
})

/**
 * A listing as a stream of snapshots of its rows. Its pages are as large as possible; `loadsAll` loads all of them.
 */
export function watchCollection<
  Parameters extends object,
  Response extends object,
  Item,
  S,
  Errors,
>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  input: QueryParameters<ListParameters<Parameters>>,
  inputOptions: CollectionOptions<Item, S> & { readonly loadsAll?: boolean } = {},
): CollectionStream<Item, S, Errors> {
  const { maximum } = operation.pagination.limit
  const parameters = { ...(input as object), limit: maximum } as Parameters
  const watched = createWatchedQuery(client, operation, input === skipToken ? input : parameters)
  const options = prepareOptions(inputOptions, watched.isSkipped)
  const invalid = rejectPaging(input) ?? rejectCounts(options)
  const query = invalid ? { ...watched, invalid } : watched
  const { queryKey } = query.options
  const { loadsAll, maxPages, pageSize, tailRefetchInterval } = options
  // The query has a valid limit.
  const ownKey = [loadsAll, maxPages, pageSize, tailRefetchInterval, invalid?.message]
  const key = ['rows', ...ownKey, createStreamKey(queryKey, options)].join()
  return client.streams.share(key, options, () => {
    const registry = getRegistry(client)
    const head = client.streams.createSource(query, options)
    const hash = query.invalid ? '' : getQueryHash(client.queryClient, queryKey)
    const findCollection = () => {
      const cached = client.queryClient.getQueryCache().get(hash)
      if (!cached) {
        return undefined
      }
      const existing = registry.byQuery.get(cached) as Collection<Item> | undefined
      if (existing) {
        return existing
      }
      const collection = new PagedCollection(client, operation, parameters, cached, registry)
      registry.byQuery.set(cached, collection)
      return collection
    }
    const { streams, queryClient, ssr } = client
    const { refetchInterval } = resolveWatchOptions(options, streams.defaults)
    const tailPoll = new TailPoll(options, streams.poller, () =>
      getInterval(refetchInterval, { state: queryClient.getQueryState(queryKey) }),
    )
    return new CollectionSource(head, { registry, ssr, findCollection, tailPoll }, options)
  })
}
