import type { Query, QueryClient, QueryObserver, QueryObserverOptions } from '@tanstack/query-core'

/** Whom a query of the cache is observed for. */
export interface CachedQueryOwner {
  /** Whether its answer is stale to anybody who would ask for a new one. */
  isStale(query: Query): boolean
  /** Called whenever its state changed. */
  onQueryUpdate(): void
}

/** What a query of the cache asks of an observer. */
interface Observes extends Pick<
  QueryObserver,
  'options' | 'onQueryUpdate' | 'shouldFetchOnWindowFocus' | 'shouldFetchOnReconnect'
> {
  refetch(): Promise<unknown>
  getCurrentResult(): Pick<ReturnType<QueryObserver['getCurrentResult']>, 'isStale'>
}

/**
 * A query of the cache while somebody observes it. It takes the place of a `QueryObserver`, which makes a result whenever
 * a fetch begins or ends and sets timers of its own. The cache sees an observer all the same, so that invalidating,
 * resetting, cancelling and devtools work as ever.
 */
export class CachedQuery implements Observes {
  readonly options: QueryObserverOptions
  readonly #client: QueryClient
  readonly #owner: CachedQueryOwner
  /** The query that is observed, which somebody may have removed from the cache meanwhile. */
  #query: Query
  /** For how long it is kept when nobody observes it any more; meanwhile it needs no timer for that. */
  #gcTime = 0

  constructor(client: QueryClient, options: QueryObserverOptions, owner: CachedQueryOwner) {
    this.options = client.defaultQueryOptions(options)
    this.#client = client
    this.#owner = owner
    this.#query = this.#build()
    this.#attach()
  }

  get state(): Query['state'] {
    return this.#query.state
  }

  /** The answer that is awaited just now, whoever asked. */
  get underWay(): Promise<unknown> | undefined {
    return this.state.fetchStatus === 'fetching' ? this.#query.promise : undefined
  }

  isStaleByTime(staleTime: number): boolean {
    return this.#query.isStaleByTime(staleTime)
  }

  /** Asks, or joins what is under way. Never rejects. */
  async refetch(): Promise<void> {
    const query = this.#build()
    if (query !== this.#query) {
      this.release()
      this.#query = query
      this.#attach()
    }
    try {
      await query.fetch(this.options, { cancelRefetch: false })
    } catch {
      // It is in the state of the query.
    }
  }

  /** Keeps the query for at least so many milliseconds after it was released. */
  keepFor(gcTime: number): void {
    this.#gcTime = Math.max(this.#gcTime, gcTime)
  }

  /** Observes it no longer. */
  release(): void {
    const query = this.#query
    if (this.#findTwin() === undefined) {
      query.gcTime = Math.max(this.#gcTime, query.options.gcTime ?? 0)
    }
    query.removeObserver(this.#asObserver)
  }

  getCurrentResult() {
    return { ...this.state, isStale: this.#owner.isStale(this.#query) }
  }

  onQueryUpdate(): void {
    this.#owner.onQueryUpdate()
  }

  shouldFetchOnWindowFocus(): boolean {
    return false
  }

  shouldFetchOnReconnect(): boolean {
    return false
  }

  #build(): Query {
    return this.#client.getQueryCache().build(this.#client, this.options) as Query
  }

  #attach(): void {
    const query = this.#query
    query.setOptions(this.options)
    const twin = this.#findTwin()
    this.keepFor(twin ? twin.#gcTime : query.gcTime)
    query.gcTime = Infinity
    query.addObserver(this.#asObserver)
  }

  /** Of another client on the same cache. */
  #findTwin(): CachedQuery | undefined {
    return (this.#query.observers as unknown[]).find(
      (each): each is CachedQuery => each instanceof CachedQuery && each !== this,
    )
  }

  get #asObserver(): QueryObserver {
    return this as unknown as QueryObserver
  }
}
