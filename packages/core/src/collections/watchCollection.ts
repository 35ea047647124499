import { skipToken } from '@tanstack/query-core'
import type { BalancesErrors, ListOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import { getQueryHash } from '../queries/queryKey.ts'
import { createWatchedQuery } from '../queries/queryOptions.ts'
import type { QueryParameters } from '../queries/WatchedQuery.ts'
import {
  createStreamKey,
  disableIf,
  getInterval,
  resolveWatchOptions,
} from '../queries/WatchOptions.ts'
import { rejectPaging } from '../requests/parameters.ts'
import { createSnapshots } from '../snapshots/createSnapshots.ts'
import type {
  SnapshotSource,
  SourceSnapshot,
  WithoutFetchState,
} from '../snapshots/SharedSource.ts'
import type {
  CollectionOptions,
  CollectionSnapshot,
  CollectionStream,
  FetchAllOptions,
  ListParameters,
} from './CollectionSnapshot.ts'
import { type CollectionRegistry, PagedCollection } from './PagedCollection.ts'
import { isSameArray } from './RowSet.ts'
import { TailPoll } from './TailPoll.ts'

type Collection<Item> = Omit<PagedCollection<object, object, Item>, 'operation' | 'parameters'>

/** How long requests for pages continue after the last subscriber left; slightly longer than those of the head. */
const unmountGraceMs = 150

const initialFields = { isFetchingNextPage: false, warnings: [], errors: undefined }

const maxPagesWarning = {
  code: 'MAX_PAGES',
  message: 'The service has more pages than `maxPages`.',
}

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
  const invalid = rejectPaging(input)
  const watched = createWatchedQuery(client, operation, input === skipToken ? input : parameters)
  const query = invalid ? { ...watched, invalid } : watched
  const options = disableIf(query.isSkipped, inputOptions)
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
    const releasesImmediately = () => registry.isDestroyed || client.ssr
    const { streams, queryClient } = client
    const { refetchInterval } = resolveWatchOptions(options, streams.defaults)
    const tailPoll = new TailPoll(options, streams.poller, () =>
      getInterval(refetchInterval, { state: queryClient.getQueryState(queryKey) }),
    )
    return createSource(
      head,
      registry.updates,
      findCollection,
      releasesImmediately,
      tailPoll,
      options,
    )
  })
}

type CollectionSourceSnapshot<Item> = WithoutFetchState<
  CollectionSnapshot<Item, readonly Item[], BalancesErrors>
>

/**
 * The source of a collection stream: the stream of the head, and the pages after it.
 *
 * @param updates - Callbacks to call when the tail changes.
 * @param findCollection - Returns the collection while the cache contains its head.
 * @param tailPoll - Keeps the pages after the head current.
 */
function createSource<Item>(
  head: SnapshotSource<SourceSnapshot<object>>,
  updates: Set<() => void>,
  findCollection: () => Collection<Item> | undefined,
  releasesImmediately: () => boolean,
  tailPoll: TailPoll,
  {
    pageSize = Infinity,
    maxPages = Infinity,
  }: Pick<CollectionOptions<Item>, 'pageSize' | 'maxPages'>,
): SnapshotSource<CollectionSourceSnapshot<Item>> {
  let collection: Collection<Item> | undefined
  let update = () => {}
  /** The displayed rows, and what they were derived from. */
  let rows: readonly Item[] = []
  let rowsInput: readonly unknown[] = []
  /** The latest snapshot, and what it was derived from. */
  let snapshot: CollectionSourceSnapshot<Item> | undefined
  let snapshotInput: readonly unknown[] = []

  const isStarted = () => updates.has(update)
  const fetchHead = () => head.read().refetch()
  const readCollection = () => {
    const found = findCollection()
    // While started, a collection stays although other code removed its head from the cache.
    if (found || !isStarted()) {
      collection = found
    }
    return collection?.read()
  }
  const getDisplayedCount = () => collection?.displayed.get(pageSize) ?? pageSize
  const display = (count: number) => {
    collection?.displayed.set(pageSize, count)
    update()
  }

  const toSnapshot = createSnapshots<readonly Item[]>(async () => {
    const wasStarted = isStarted()
    await fetchHead()
    readCollection()
    // Polls refetch the head only. A refetch covers all loaded pages, unless the head failed or the stream stopped meanwhile.
    if (!collection?.isHeadFailing && (!wasStarted || isStarted())) {
      await collection?.refetchTail({ isSearch: false, isBackground: false })
    }
  })

  const read = () => {
    const { status, error: headError } = head.read()
    const state = readCollection()
    const { rows: all, pageCount = 0, hasMore = false, fields = initialFields } = state ?? {}
    if (all && !isSameArray(rowsInput, (rowsInput = [all, getDisplayedCount()]))) {
      const count = getDisplayedCount()
      const visible = all.length > count ? all.slice(0, count) : all
      if (!isSameArray(rows, visible)) {
        rows = visible
      }
    }
    if (!collection) {
      rows = rowsInput = []
    }
    const error = headError ?? state?.error ?? null
    const base = toSnapshot({ status: error ? 'error' : status, data: all && rows, error })
    const isCutOff = hasMore && pageCount >= maxPages
    const hasNextPage = (hasMore && !isCutOff) || (all ?? []).length > rows.length
    const input = [base, fields, isCutOff, hasNextPage]
    if (!snapshot || !isSameArray(snapshotInput, input)) {
      snapshotInput = input
      snapshot = {
        ...base,
        ...fields,
        warnings: isCutOff ? [...fields.warnings, maxPagesWarning] : fields.warnings,
        hasNextPage,
        fetchNextPage,
        fetchAll,
      }
    }
    return snapshot
  }

  const fetchNextPage = async () => {
    const { status, hasNextPage } = read()
    if (status === 'pending') {
      return fetchHead()
    }
    if (!hasNextPage) {
      return
    }
    // Not the previous count: calls that fail, or join the same request, add no more rows.
    display(rows.length + pageSize)
    const { rows: loaded = [], pageCount = 0 } = readCollection() ?? {}
    if (loaded.length < getDisplayedCount() && pageCount < maxPages) {
      await collection?.fetchNext()
    }
  }

  const fetchAll = async (fetchOptions: FetchAllOptions = {}) => {
    if (!readCollection()) {
      await fetchHead()
    }
    readCollection()
    display(Infinity)
    await collection?.fetchAll({
      ...fetchOptions,
      maxPages: Math.min(fetchOptions.maxPages ?? Infinity, maxPages),
    })
  }

  return {
    read,
    readFetchState: () => {
      const { fetchStatus, dataUpdatedAt } = head.readFetchState()
      const { fields, response_time } = readCollection() ?? {}
      return {
        fetchStatus:
          fields?.isFetchingNextPage || collection?.isRefetching ? 'fetching' : fetchStatus,
        dataUpdatedAt,
        response_time,
      }
    },
    start(target) {
      update = () => {
        target.update()
        tailPoll.onUpdate(collection)
      }
      updates.add(update)
      head.start({ ...target, update })
      update()
    },
    stop() {
      head.stop()
      updates.delete(update)
      update = () => {}
      tailPoll.stop()
      const stopped = collection
      if (releasesImmediately()) {
        stopped?.releaseIfUnobserved()
      } else if (stopped) {
        setTimeout(() => stopped.releaseIfUnobserved(), unmountGraceMs)
      }
    },
  }
}
