import { hashKey, type QueryClient } from '@tanstack/query-core'
import type { PollThrottle } from '../polling/Pollable.ts'
import { Poller } from '../polling/Poller.ts'
import { createSnapshotSelector } from '../snapshots/createSnapshotSelector.ts'
import type { Snapshot, SnapshotStream } from '../snapshots/Snapshot.ts'
import {
  createInvalidSource,
  SnapshotObservable,
  type SnapshotSource,
} from '../snapshots/SnapshotObservable.ts'
import { SharedQuery } from './SharedQuery.ts'
import type { WatchedQuery } from './WatchedQuery.ts'
import {
  createStreamKey,
  disableIf,
  resolveWatchOptions,
  type StreamObserver,
  type WatchOptions,
} from './WatchOptions.ts'

type AnyStream = SnapshotObservable<unknown, unknown>

/** Number of streams without subscribers that are kept, so that the same call returns the same stream. */
const maxIdleStreams = 100

/** The streams of a client and the queries they watch. */
export class StreamRegistry {
  readonly poller: Poller
  readonly #queryClient: QueryClient
  readonly #ssr: boolean
  /** Streams with subscribers, by key. */
  readonly #active = new Map<string, AnyStream>()
  /** Streams without subscribers, by key, oldest first. */
  readonly #idle = new Map<string, AnyStream>()
  /** All streams with subscribers, including several with the same key. */
  readonly #subscribed = new Set<AnyStream>()
  readonly #queries = new Map<string, SharedQuery>()
  #isDestroyed = false

  /**
   * @param queryClient - The cache.
   * @param ssr - Whether the runtime is a server, which does not poll.
   * @param throttle - Slows polling down.
   */
  constructor(queryClient: QueryClient, ssr: boolean, throttle?: PollThrottle) {
    this.#queryClient = queryClient
    this.#ssr = ssr
    this.poller = new Poller(!ssr, throttle)
  }

  /** Returns the stream of a query. */
  watch<T, S>(query: WatchedQuery<T>, input: WatchOptions<T, S>): SnapshotStream<S> {
    const options = disableIf(query.isSkipped, input)
    return this.share(createStreamKey(query.options.queryKey, options), options, () =>
      query.invalid
        ? createInvalidSource(options, query.invalid)
        : this.#createSource(query, options),
    )
  }

  /** Returns the stream of a key. Creates its source if there is no such stream. */
  share<S, TSnapshot = Snapshot<S>>(
    key: string,
    { enabled = true }: Pick<WatchOptions<never>, 'enabled'>,
    createSource: () => SnapshotSource<S, TSnapshot>,
  ): SnapshotStream<S, TSnapshot> {
    // The key implies the type.
    const existing = (this.#active.get(key) ?? this.#idle.get(key)) as
      SnapshotStream<S, TSnapshot> | undefined
    if (existing) {
      return existing
    }
    const source = createSource()
    const stream: SnapshotObservable<S, TSnapshot> = new SnapshotObservable(
      {
        read: source.read,
        start: (update) => {
          this.#activate(key, stream)
          source.start(update)
        },
        stop: () => {
          source.stop()
          this.#release(key, stream)
        },
      },
      () => this.#isDestroyed,
      enabled,
    )
    this.#addIdle(key, stream)
    return stream
  }

  /** The queries that are watched now. */
  getActiveQueries(): Pick<SharedQuery, 'queryKey' | 'interval' | 'inFlight'>[] {
    return [...this.#queries.values()]
  }

  /** Completes all streams and releases all queries. */
  destroy(): void {
    this.#isDestroyed = true
    for (const stream of [...this.#subscribed]) {
      stream.complete()
    }
    this.#active.clear()
    this.#idle.clear()
    for (const query of [...this.#queries.values()]) {
      query.stop()
    }
  }

  #addIdle(key: string, stream: AnyStream): void {
    this.#idle.set(key, stream)
    if (this.#idle.size <= maxIdleStreams) {
      return
    }
    for (const oldest of this.#idle.keys()) {
      this.#idle.delete(oldest)
      break
    }
  }

  #activate(key: string, stream: AnyStream): void {
    if (this.#idle.get(key) === stream) {
      this.#idle.delete(key)
    }
    this.#active.set(key, stream)
    this.#subscribed.add(stream)
  }

  #release(key: string, stream: AnyStream): void {
    this.#subscribed.delete(stream)
    // A stream that was evicted while its caller kept it may have been replaced by another one of the same key.
    if (this.#active.get(key) !== stream) {
      return
    }
    this.#active.delete(key)
    this.#addIdle(key, stream)
  }

  #createSource<T, S>(query: WatchedQuery<T>, options: WatchOptions<T, S>): SnapshotSource<S> {
    const hash = hashKey(query.options.queryKey)
    const refetch = async () => {
      const shared = this.#queries.get(hash)
      if (shared) {
        await shared.refetch()
      } else if (!this.#isDestroyed) {
        await this.#queryClient.prefetchQuery({ ...query.options, staleTime: 0 })
      }
    }
    const select = createSnapshotSelector(options, refetch)
    const { staleTime: defaultStaleTime } = this.#queryClient.defaultQueryOptions(query.options)
    let shared: SharedQuery | undefined
    let observer: StreamObserver
    return {
      read: () => {
        const running = shared ?? this.#queries.get(hash)
        const { state } = running ?? this.#queryClient.getQueryCache().get(hash) ?? {}
        // Errors are not dehydrated, so the server renders what the browser starts with.
        const isOmitted = this.#ssr && !running && state?.status === 'error'
        return select(isOmitted ? undefined : state)
      },
      start: (update) => {
        observer = { ...resolveWatchOptions(options, defaultStaleTime), update }
        shared = this.#getOrCreateQuery(hash, query)
        shared.addObserver(observer)
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
      onStop: () => {
        this.#queries.delete(hash)
        if (this.#queries.size === 0 && !this.#ssr) {
          this.#queryClient.unmount()
        }
      },
    })
    // A mounted query client resumes paused retries when the page becomes visible. The app may not mount it.
    if (this.#queries.size === 0 && !this.#ssr) {
      this.#queryClient.mount()
    }
    this.#queries.set(hash, shared)
    return shared
  }
}
