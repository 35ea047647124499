import type { QueryClient, QueryState } from '@tanstack/query-core'
import { DestroyedError } from '../errors/DestroyedError.ts'
import { Poller } from '../polling/Poller.ts'
import { createInvalidSource, createSnapshots } from '../snapshots/createSnapshots.ts'
import {
  SharedSource,
  type SnapshotSource,
  type SourceSnapshot,
} from '../snapshots/SharedSource.ts'
import type { Snapshot, SnapshotStream } from '../snapshots/Snapshot.ts'
import { SnapshotObservable } from '../snapshots/SnapshotObservable.ts'
import type { SelectOptions } from '../snapshots/SnapshotSelector.ts'
import { alwaysStale } from '../time.ts'
import { SharedQuery } from './SharedQuery.ts'
import type { WatchedQuery } from './WatchedQuery.ts'
import {
  createStreamKey,
  type DefaultWatchOptions,
  prepareOptions,
  resolveWatchOptions,
  type StreamObserver,
  type WatchOptions,
} from './WatchOptions.ts'

type AnySource = SharedSource<unknown>

/** Number of sources without subscribers that are kept, so that the same call returns the same stream. */
const maxIdleSources = 100

/** In place of an option that is not set. */
const unset = {}

/** The streams of a client and the queries they watch. */
export class StreamRegistry {
  readonly poller: Poller
  /** The errors of requests of this client. Another client on the same cache may have another key. */
  readonly errors = new WeakSet<object>()
  /** Defaults of the options of streams. */
  readonly defaults: DefaultWatchOptions
  readonly #queryClient: QueryClient
  readonly #ssr: boolean
  readonly #onState: (state: QueryState) => void
  /** The latest source of each key: one that has subscribers, or is idle. */
  readonly #sources = new Map<string, AnySource>()
  /** The keys of sources without subscribers, oldest first. */
  readonly #idleKeys = new Set<string>()
  /** All sources with subscribers: several of a key, if the first one was evicted while its caller kept it. */
  readonly #subscribed = new Set<AnySource>()
  /** Streams by source, `select` and `placeholderData`. */
  readonly #streams = new WeakMap<object, WeakMap<object, WeakMap<object, unknown>>>()
  readonly #queries = new Map<string, SharedQuery>()
  #isDestroyed = false
  #unsubscribe: (() => void) | undefined

  /**
   * @param queryClient - The cache.
   * @param ssr - Whether the runtime is a server, which does not poll.
   * @param onState - Called with each state of watched queries.
   */
  constructor(
    queryClient: QueryClient,
    ssr: boolean,
    onState: (state: QueryState) => void,
    defaults: DefaultWatchOptions | null | undefined,
  ) {
    this.defaults = defaults ?? {}
    this.#queryClient = queryClient
    this.#ssr = ssr
    this.#onState = onState
    this.poller = new Poller(!ssr)
  }

  /** Returns the stream of a query. */
  watch<T, S>(query: WatchedQuery<T>, input: WatchOptions<T, S>): SnapshotStream<S> {
    const options = prepareOptions(input, query.isSkipped)
    return this.share(createStreamKey(query.options.queryKey, options), options, () =>
      this.createSource(query, options),
    )
  }

  /**
   * Returns the stream of a key with `select` and `placeholderData`.
   *
   * @param createSource - Creates the source of the key if there is none.
   */
  share<T, S, TSnapshot = Snapshot<S>>(
    key: string,
    {
      enabled,
      select,
      placeholderData,
    }: Pick<WatchOptions<T, S>, 'enabled' | 'select' | 'placeholderData'>,
    createSource: () => SnapshotSource<SourceSnapshot<T>>,
  ): SnapshotStream<S, TSnapshot> {
    const source = this.#getSource(key, enabled, createSource)
    const bySelect = getOrCreate(this.#streams, source, () => new WeakMap())
    const byPlaceholder = getOrCreate(bySelect, select ?? unset, () => new WeakMap())
    return getOrCreate(byPlaceholder, Object(placeholderData ?? unset) as object, () => {
      const options = { select, placeholderData } as SelectOptions
      return new SnapshotObservable<S, TSnapshot>(source, options, enabled)
    }) as SnapshotStream<S, TSnapshot>
  }

  /** The queries that are watched now. */
  getActiveQueries(): Pick<SharedQuery, 'queryKey' | 'interval' | 'inFlight'>[] {
    return [...this.#queries.values()]
  }

  /** Completes all streams and releases all queries. */
  destroy(): void {
    this.#isDestroyed = true
    for (const source of [...this.#subscribed]) {
      source.complete()
    }
    this.#sources.clear()
    this.#idleKeys.clear()
    for (const query of [...this.#queries.values()]) {
      query.stop()
    }
    // The observers of components remain.
    this.poller.destroy()
  }

  #getSource<T>(
    key: string,
    enabled: boolean | undefined,
    createSource: () => SnapshotSource<SourceSnapshot<T>>,
  ): SharedSource<SourceSnapshot<T>> {
    // The key implies the type.
    const existing = this.#sources.get(key) as SharedSource<SourceSnapshot<T>> | undefined
    if (existing) {
      return existing
    }
    const created = createSource()
    let destroyed: SourceSnapshot<T> | undefined
    const source: SharedSource<SourceSnapshot<T>> = new SharedSource(
      {
        read: () => {
          const snapshot = created.read()
          const isWaiting = snapshot.status === 'pending' && enabled !== false
          return this.#isDestroyed && isWaiting
            ? (destroyed ??= { ...snapshot, status: 'error', error: new DestroyedError() })
            : snapshot
        },
        readFetchState: () => {
          const fetchState = created.readFetchState()
          return this.#isDestroyed ? { ...fetchState, fetchStatus: 'idle' } : fetchState
        },
        start: (target) => {
          this.#subscribed.add(source)
          this.#idleKeys.delete(key)
          this.#sources.set(key, source)
          created.start(target)
        },
        stop: () => {
          created.stop()
          this.#subscribed.delete(source)
          // Another source of the same key may have replaced it.
          if (this.#sources.get(key) === source) {
            this.#addIdle(key)
          }
        },
      },
      () => this.#isDestroyed,
    )
    this.#sources.set(key, source)
    this.#addIdle(key)
    return source
  }

  /** Keeps the source of a key for the next call, and evicts the one that has been idle for longest. */
  #addIdle(key: string): void {
    this.#idleKeys.add(key)
    const [oldest = key] = this.#idleKeys
    if (this.#idleKeys.size > maxIdleSources) {
      this.#idleKeys.delete(oldest)
      this.#sources.delete(oldest)
    }
  }

  /** Creates the source of a query. */
  createSource<T>(
    query: WatchedQuery<T>,
    options: Omit<WatchOptions<T>, 'select' | 'placeholderData'>,
  ): SnapshotSource<SourceSnapshot<T>> {
    if (query.invalid) {
      return createInvalidSource(options, query.invalid)
    }
    const { queryHash: hash, staleTime: defaultStaleTime } = this.#queryClient.defaultQueryOptions(
      query.options,
    )
    const refetch = async () => {
      const shared = this.#queries.get(hash)
      if (shared) {
        await shared.refetch()
      } else if (!this.#isDestroyed) {
        await this.#queryClient.prefetchQuery({ ...query.options, staleTime: alwaysStale })
      }
    }
    const toSnapshot = createSnapshots<T>(refetch)
    let shared: SharedQuery | undefined
    let observer: StreamObserver
    const readState = () => {
      const running = shared ?? this.#queries.get(hash)
      const { state } = running ?? this.#queryClient.getQueryCache().get(hash) ?? {}
      // Errors are not dehydrated, so the server renders what the browser starts with.
      const isOmitted = this.#ssr && !running && state?.status === 'error'
      return isOmitted ? undefined : state
    }
    return {
      read: () => toSnapshot(readState()),
      readFetchState: () => {
        const { status = 'pending', fetchStatus = 'idle', dataUpdatedAt = 0 } = readState() ?? {}
        // The first subscriber will fetch. A server and a component that is not mounted yet render this.
        const willFetch = !shared && options.enabled !== false && status === 'pending'
        return { fetchStatus: willFetch ? 'fetching' : fetchStatus, dataUpdatedAt }
      },
      start: (target) => {
        const resolved = resolveWatchOptions(options, this.defaults, defaultStaleTime)
        observer = { ...resolved, ...target }
        const started = this.#getOrCreateQuery(hash, query)
        started.addObserver(observer)
        shared = started
      },
      stop: () => {
        shared?.removeObserver(observer)
        shared = undefined
      },
    }
  }

  #getOrCreateQuery(hash: string, query: WatchedQuery<unknown>): SharedQuery {
    const existing = this.#queries.get(hash)
    if (existing) {
      return existing
    }
    const shared = new SharedQuery(query, {
      queryClient: this.#queryClient,
      poller: this.poller,
      ssr: this.#ssr,
      errors: this.errors,
      onState: this.#onState,
      onStop: () => {
        this.#queries.delete(hash)
        if (this.#queries.size === 0 && !this.#ssr) {
          this.#queryClient.unmount()
          this.#unsubscribe?.()
        }
      },
    })
    // A mounted query client resumes paused retries when the page becomes visible. The app may not mount it.
    if (this.#queries.size === 0 && !this.#ssr) {
      this.#queryClient.mount()
      this.#unsubscribe = this.#queryClient.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'added') {
          this.#queries.get(query.queryHash)?.attach()
        }
      })
    }
    this.#queries.set(hash, shared)
    return shared
  }
}

function getOrCreate<T>(map: WeakMap<object, T>, key: object, create: () => T): T {
  const existing = map.get(key)
  if (existing !== undefined) {
    return existing
  }
  const created = create()
  map.set(key, created)
  return created
}
