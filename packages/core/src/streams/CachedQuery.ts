import type {
  Query,
  QueryCache,
  QueryClient,
  QueryFunction,
  QueryObserver,
  QueryObserverOptions,
  QueryState,
} from '@tanstack/query-core'

/** Whom a query of the cache is observed for. */
export interface CachedQueryOwner {
  /** Whether its answer is stale to anybody who would ask for a new one. */
  isStale(query: Query): boolean
  /** Called whenever its state changed. */
  onQueryUpdate(): void
  /** Called when nothing is under way any more, if that changed nothing. */
  onSettled(): void
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
  /** A poll under way, until it brought something or somebody else did, whose answer or question is newer. */
  #poll: Promise<void> | undefined
  /** Ends polls under way when nobody observes them any more. */
  #aborter = new AbortController()

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
    return (
      this.#joinPoll() ?? (this.state.fetchStatus === 'fetching' ? this.#query.promise : undefined)
    )
  }

  isStaleByTime(staleTime: number): boolean {
    return this.#query.isStaleByTime(staleTime)
  }

  /** Asks, or joins what is under way. Never rejects. */
  refetch(): Promise<void> {
    return this.#joinPoll() ?? this.#fetch(this.#current())
  }

  /**
   * Asks again what went well the last time, and writes the answer as a fetch would, without the rest of a fetch, which
   * takes five times as long and tells everybody that it begins. A failure is handed on to a fetch, which may retry.
   */
  poll(): Promise<void> {
    const query = this.#current()
    const { status, fetchStatus } = query.state
    if (status !== 'success' || fetchStatus !== 'idle' || query.options.persister) {
      return this.refetch()
    }
    return this.#joinPoll() ?? (this.#poll = this.#ask(query))
  }

  /** The poll under way, of whichever client. One of another may end without a word, when that client does. */
  #joinPoll(): Promise<void> | undefined {
    for (const each of this.#query.observers as unknown[]) {
      if (each instanceof CachedQuery && each.#poll) {
        return each === this ? each.#poll : each.#poll.then(() => this.#owner.onSettled())
      }
    }
    return undefined
  }

  /** Keeps the query for at least so many milliseconds after it was released. */
  keepFor(gcTime: number): void {
    this.#gcTime = Math.max(this.#gcTime, gcTime)
  }

  /** Observes it no longer. */
  release(): void {
    const query = this.#query
    this.#aborter.abort()
    this.#poll = undefined
    if (this.#findTwin() === undefined) {
      query.gcTime = Math.max(this.#gcTime, query.options.gcTime ?? 0)
    }
    query.removeObserver(this as unknown as QueryObserver)
  }

  getCurrentResult(): QueryState & { readonly isStale: boolean } {
    return { ...this.state, isStale: this.#owner.isStale(this.#query) }
  }

  onQueryUpdate(): void {
    this.#poll = undefined
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

  /** The query, after it was put back into the cache if it was removed. */
  #current(): Query {
    const query = this.#build()
    if (query !== this.#query) {
      this.release()
      this.#query = query
      this.#aborter = new AbortController()
      this.#attach()
    }
    return query
  }

  async #fetch(query: Query, how?: Parameters<Query['fetch']>[1]): Promise<void> {
    try {
      await query.fetch(this.options, how)
    } catch {
      // It is in the state of the query.
    }
    this.#owner.onSettled()
  }

  async #ask(query: Query): Promise<void> {
    const { signal } = this.#aborter
    const { state, queryKey, meta } = query
    const client = this.#client
    try {
      const data = await (this.options.queryFn as QueryFunction)({ client, queryKey, signal, meta })
      // Else what was fetched or written meanwhile is newer.
      if (query.state === state && !signal.aborted) {
        query.setData(data)
        const { config }: QueryCache = client.getQueryCache()
        config.onSuccess?.(data, query as Query<unknown, unknown>)
        config.onSettled?.(data, null, query as Query<unknown, unknown>)
      }
    } catch (error) {
      if (query.state === state && !signal.aborted) {
        await this.#fetch(query, { initialPromise: Promise.reject(error as Error) })
      }
    }
  }

  #attach(): void {
    const query = this.#query
    query.setOptions(this.options)
    const twin = this.#findTwin()
    this.keepFor(twin ? twin.#gcTime : query.gcTime)
    query.gcTime = Infinity
    query.addObserver(this as unknown as QueryObserver)
  }

  /** Of another client on the same cache. */
  #findTwin(): CachedQuery | undefined {
    return (this.#query.observers as unknown[]).find(
      (each): each is CachedQuery => each instanceof CachedQuery && each !== this,
    )
  }
}
