import type {
  Query,
  QueryClient,
  QueryFunction,
  QueryObserver,
  QueryObserverOptions,
  QueryState,
} from '@tanstack/query-core'

/** Receives the events of an {@link ObservedQuery}. */
export interface QueryListener {
  /** Whether the cached response is stale for at least one enabled observer. */
  isStale(query: Query): boolean
  /** Called after every state change. */
  onQueryUpdate(): void
  /** Called when a fetch or a poll settled, also without a state change. */
  onSettled(): void
  /** Whether the runtime is a server. There, a query that is removed from the cache during a fetch is not fetched again. */
  readonly ssr: boolean
}

/** The part of a `QueryObserver` that `Query` and `QueryCache` call on their observers. */
interface QueryObserverLike extends Pick<
  QueryObserver,
  'options' | 'onQueryUpdate' | 'shouldFetchOnWindowFocus' | 'shouldFetchOnReconnect'
> {
  refetch(): Promise<unknown>
  getCurrentResult(): Pick<ReturnType<QueryObserver['getCurrentResult']>, 'isStale'>
}

/** State that all observers of a query share, of any client on the same cache. */
interface Observation {
  observerCount: number
  /** The longest `gcTime` that was requested. While the query is observed, its own one is `Infinity`, which needs no timer. */
  gcTime: number
  /** The poll in flight. Cleared by any newer response or fetch. */
  poll?: { readonly observer: ObservedQuery; readonly settled: Promise<void> } | undefined
}

const observations = new WeakMap<Query, Observation>()

/**
 * Observes a query of the cache. Replaces `QueryObserver`, which computes a result at the start and end of every fetch and
 * sets timers of its own. To the cache it is an observer like any other, so that invalidation, reset, cancellation and
 * devtools work; see docs/decisions/0003.
 */
export class ObservedQuery implements QueryObserverLike {
  readonly options: QueryObserverOptions
  readonly #client: QueryClient
  readonly #listener: QueryListener
  /** The observed query, which other code may have removed from the cache. */
  #query!: Query
  #observation!: Observation
  /** Aborts polls in flight on release. */
  #abortController!: AbortController

  constructor(client: QueryClient, options: QueryObserverOptions, listener: QueryListener) {
    this.options = client.defaultQueryOptions(options)
    this.#client = client
    this.#listener = listener
    this.attach()
  }

  get state(): Query['state'] {
    return this.#query.state
  }

  /** The response in flight, fetched by any code. */
  get inFlight(): Promise<unknown> | undefined {
    return (
      this.#observation.poll?.settled ??
      (this.state.fetchStatus === 'fetching' ? this.#query.promise : undefined)
    )
  }

  /** Observes the query in the cache, which is a new one if other code removed the observed one. */
  attach(): Query {
    const query = this.#client.getQueryCache().build(this.#client, this.options) as Query
    if (query !== this.#query) {
      if (this.#query) {
        this.release()
      }
      this.#query = query
      this.#abortController = new AbortController()
      query.setOptions(this.options)
      const observation = observations.get(query) ?? { observerCount: 0, gcTime: query.gcTime }
      observation.observerCount++
      observations.set(query, (this.#observation = observation))
      query.gcTime = Infinity
      query.addObserver(this as unknown as QueryObserver)
      // A query that is fetched or written next notifies by itself.
      if (query.state.data !== undefined) {
        this.#listener.onQueryUpdate()
      }
    }
    return query
  }

  /** Fetches, or joins what is in flight. Never rejects. */
  refetch(): Promise<void> {
    return this.#joinPoll() ?? this.#fetch(this.attach())
  }

  /**
   * Refetches after a success and writes the response like a fetch would, but without the state changes at its start, which
   * notify every observer and take five times as long. A failure is passed to a fetch, which may retry.
   */
  poll(): Promise<void> {
    const query = this.attach()
    const { status, fetchStatus } = query.state
    if (status !== 'success' || fetchStatus !== 'idle' || query.options.persister) {
      return this.refetch()
    }
    return (
      this.#joinPoll() ??
      (this.#observation.poll = { observer: this, settled: this.#pollOnce(query) }).settled
    )
  }

  /** Keeps the query cached for at least this time after the release. */
  keepFor(gcTime: number): void {
    this.#observation.gcTime = Math.max(this.#observation.gcTime, gcTime)
  }

  /** Stops observing. */
  release(): void {
    const query = this.#query
    const observation = this.#observation
    this.#abortController.abort()
    if (observation.poll?.observer === this) {
      observation.poll = undefined
      setPolling(query, 'idle')
    }
    if (--observation.observerCount === 0) {
      query.gcTime = Math.max(observation.gcTime, query.options.gcTime ?? 0)
      observations.delete(query)
    }
    query.removeObserver(this as unknown as QueryObserver)
  }

  getCurrentResult(): QueryState & { readonly isStale: boolean } {
    return { ...this.state, isStale: this.#listener.isStale(this.#query) }
  }

  onQueryUpdate(): void {
    this.#observation.poll = undefined
    this.#listener.onQueryUpdate()
  }

  shouldFetchOnWindowFocus(): boolean {
    return false
  }

  shouldFetchOnReconnect(): boolean {
    return false
  }

  /** The poll in flight. A poll of another client ends without a state change if that client is destroyed. */
  #joinPoll(): Promise<void> | undefined {
    return this.#observation.poll?.settled.then(() => this.#listener.onSettled())
  }

  async #fetch(query: Query, options?: Parameters<Query['fetch']>[1]): Promise<void> {
    try {
      const fetching = query.fetch(this.options, options)
      // Continues what paused in a hidden page, if nothing watched the query when it became visible.
      query.onFocus()
      await fetching
    } catch {
      // The error is part of the query's state, which remains as it is if `clear` or `removeQueries` cancels the fetch.
      if (
        query.state.fetchStatus !== 'idle' &&
        !this.#abortController.signal.aborted &&
        !this.#listener.ssr &&
        this.attach() !== query
      ) {
        await this.refetch()
      }
    }
    this.#listener.onSettled()
  }

  async #pollOnce(query: Query): Promise<void> {
    const { signal } = this.#abortController
    setPolling(query, 'fetching')
    const { state, queryKey, meta } = query
    const client = this.#client
    /** Otherwise a fetch, or code that wrote to the cache, was faster. */
    const isCurrent = () => query.state === state && !signal.aborted
    try {
      const data = await (this.options.queryFn as QueryFunction)({ client, queryKey, signal, meta })
      if (isCurrent()) {
        query.setData(data)
        const { config } = client.getQueryCache()
        config.onSuccess?.(data, query as Query<unknown, unknown>)
        config.onSettled?.(data, null, query as Query<unknown, unknown>)
      }
    } catch (error) {
      if (isCurrent()) {
        await this.#fetch(query, { initialPromise: Promise.reject(error as Error) })
      }
    }
    // A fetch may have been faster, and followed by another poll.
    if (!this.#observation.poll) {
      setPolling(query, 'idle')
    }
  }
}

/**
 * Shows a poll to `useIsFetching` and devtools, unless a fetch is in flight. Older versions keep the promise of the latest fetch,
 * and `fetchQuery` would return it while a poll is shown.
 */
function setPolling(query: Query, fetchStatus: 'fetching' | 'idle'): void {
  if (query.promise === undefined && query.state.fetchStatus !== fetchStatus) {
    query.setState({ fetchStatus })
  }
}
