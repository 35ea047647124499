import type { Query, QueryClient, QueryObserverOptions, QueryState } from '@tanstack/query-core'
import { isDestroyedError } from '../errors/DestroyedError.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { getRetryAfter, isFatal, isInBackoff } from '../errors/retryPolicy.ts'
import { getResumption } from '../polling/getResumption.ts'
import {
  pendingState,
  type Pollable,
  type ResumeOption,
  type Resumption,
} from '../polling/Pollable.ts'
import type { Poller } from '../polling/Poller.ts'
import { ObservedQuery, type QueryListener } from './ObservedQuery.ts'
import { createRetryOptions } from './retryOptions.ts'
import type { OperationQueryOptions, WatchedQuery } from './WatchedQuery.ts'
import { defaultIntervalMs, getInterval, type StreamObserver } from './WatchOptions.ts'

/** How long a query stays active after its last observer left. A remount within this time joins the request in flight. */
const unmountGraceMs = 100

interface SharedQueryContext {
  readonly queryClient: QueryClient
  readonly poller: Poller
  readonly ssr: boolean
  /** The errors of requests of the client. */
  readonly errors: WeakSet<object>
  /** Called with each state. */
  readonly onState: (state: QueryState) => void
  /** Called once, after everything was released. */
  readonly onStop: () => void
}

/** A query while it is watched: one observer of the cache and one entry of the poller, for any number of streams. */
export class SharedQuery implements Pollable, QueryListener {
  /** The shortest interval of all enabled observers. */
  interval = Infinity
  /** The state for observers. A first fetch that failed and is retried stays an error until data arrives. */
  state: QueryState | undefined
  readonly #query: WatchedQuery<unknown>
  readonly #context: SharedQueryContext
  /** The streams that watch the query. */
  readonly observers = new Set<StreamObserver>()
  #enabledCount = 0
  /** Local time at which the last enabled observer left. */
  #leftAt = -Infinity
  /** Number of enabled observers per interval. Avoids visiting all observers when one is added or removed. */
  readonly #intervals = new Map<StreamObserver['refetchInterval'], number>()
  #observed: ObservedQuery | undefined
  #stopTimer: ReturnType<typeof setTimeout> | undefined

  constructor(query: WatchedQuery<unknown>, context: SharedQueryContext) {
    this.#query = query
    this.#context = context
  }

  get ssr(): boolean {
    return this.#context.ssr
  }

  get queryKey(): readonly unknown[] {
    return this.#query.options.queryKey
  }

  get cost(): number {
    return this.#query.getCost()
  }

  /** The response in flight, fetched by any code. */
  get inFlight(): Promise<unknown> | undefined {
    return this.#observed?.inFlight
  }

  addObserver(observer: StreamObserver): void {
    clearTimeout(this.#stopTimer)
    this.observers.add(observer)
    if (observer.enabled) {
      this.#countObserver(observer, 1)
    }
    const observed = (this.#observed ??= this.#observe(observer))
    observed.keepFor(observer.gcTime ?? 0)
    if (this.#shouldFetchOnMount(observer, observed)) {
      void this.#fetchOnMount()
    } else {
      this.#context.poller.reschedule(this)
    }
  }

  removeObserver(observer: StreamObserver): void {
    this.observers.delete(observer)
    if (observer.enabled) {
      this.#countObserver(observer, -1)
      this.#leftAt = Date.now()
    }
    if (this.observers.size > 0) {
      return
    }
    if (this.ssr) {
      this.stop()
    } else {
      this.#stopTimer = setTimeout(() => this.stop(), unmountGraceMs)
    }
  }

  async poll(): Promise<void> {
    await this.#observed?.poll()
  }

  /** Fetches now, or joins the request in flight. Never rejects. */
  async refetch(): Promise<void> {
    await this.#observed?.refetch()
  }

  /** Observes the query in the cache. Call it when that may be a new one, as after `clear`. */
  attach(): void {
    this.#observed?.attach()
  }

  onSettled(): void {
    this.#context.poller.reschedule(this)
  }

  isStale(query: Query): boolean {
    return [...this.observers].some(
      ({ enabled, staleTime }) => enabled && query.isStaleByTime(staleTime),
    )
  }

  onQueryUpdate(): void {
    const next = this.#observed?.state
    const previous = this.state
    if (!next) {
      return
    }
    if (previous && next.status === 'pending' && next.errorUpdateCount > 0) {
      this.#setState({ ...previous, fetchStatus: next.fetchStatus })
      return
    }
    if (isDestroyedError(next.error)) {
      // Another client on the same cache started the fetch and was destroyed.
      if (next.fetchStatus === 'idle' && this.#enabledCount > 0) {
        void this.refetch()
      }
    } else {
      this.#setState(next)
    }
    if (next.fetchStatus === 'idle') {
      this.#updateInterval()
      this.onSettled()
    }
  }

  getResumption(option: ResumeOption): Resumption {
    const { error, errorUpdatedAt } = this.state ?? pendingState
    // A focus does not repeat a request that must not be sent again yet.
    return isInBackoff(error, errorUpdatedAt)
      ? 'due'
      : getResumption(
          this.observers,
          option,
          this,
          (staleTime) => this.#observed?.attach().isStaleByTime(staleTime) ?? false,
        )
  }

  /** Releases everything immediately. Does nothing if it was released: components may leave after the client was destroyed. */
  stop(): void {
    clearTimeout(this.#stopTimer)
    if (!this.#observed) {
      return
    }
    this.#context.poller.remove(this)
    this.#observed.release()
    this.#observed = undefined
    this.#context.onStop()
  }

  #setState(next: QueryState): void {
    const previous = this.state
    this.state = next
    this.#context.onState(next)
    const isChanged =
      next.data !== previous?.data ||
      next.error !== previous?.error ||
      next.status !== previous?.status
    for (const observer of isChanged ? [...this.observers] : this.observers) {
      if (isChanged || observer.isTracked()) {
        observer.update()
      }
    }
  }

  #observe({ gcTime }: StreamObserver): ObservedQuery {
    const { options } = this.#query
    const observerOptions = {
      ...options,
      ...(gcTime !== undefined && { gcTime }),
      enabled: () => this.#enabledCount > 0,
      staleTime: Infinity,
      // A polled query waits in the poller for as long as the service requested, with the error visible meanwhile.
      retry: (failureCount: number, error: HeadwaterError) =>
        (this.interval === Infinity || getRetryAfter(error) === 0) &&
        this.#getRetryOptions().retry(failureCount, error),
      retryDelay: (failureCount: number, error: HeadwaterError) =>
        this.#getRetryOptions().retryDelay(failureCount, error),
    }
    this.#observed = new ObservedQuery(
      this.#context.queryClient,
      // The functions receive errors of the query function only, which are of Headwater.
      observerOptions as unknown as QueryObserverOptions,
      this,
    )
    this.onQueryUpdate()
    this.#context.poller.add(this)
    return this.#observed
  }

  #countObserver({ refetchInterval }: StreamObserver, change: 1 | -1): void {
    this.#enabledCount += change
    const count = (this.#intervals.get(refetchInterval) ?? 0) + change
    if (count === 0) {
      this.#intervals.delete(refetchInterval)
    } else {
      this.#intervals.set(refetchInterval, count)
    }
    this.#updateInterval()
  }

  #updateInterval(): void {
    const intervals = [...this.#intervals.keys()]
    const shortest = Math.min(...intervals.map((interval) => getInterval(interval, this)))
    if (shortest === this.interval) {
      return
    }
    this.interval = shortest
    // Without observers, it may be watched again within the grace period.
    if (this.observers.size > 0) {
      this.#context.poller.coordinator?.onEntriesChange()
    }
  }

  /** The retries of the latest enabled observer. */
  #getRetryOptions(): Pick<OperationQueryOptions<unknown>, 'retry' | 'retryDelay'> {
    const latest = [...this.observers].reverse().find(({ enabled }) => enabled)
    return latest ? createRetryOptions(this.ssr, latest) : this.#query.options
  }

  /** Whether a new observer triggers a fetch. */
  #shouldFetchOnMount({ enabled, staleTime }: StreamObserver, observed: ObservedQuery): boolean {
    const { error, errorUpdatedAt } = observed.state
    // The observer may replace one that just left, as when a component renders with a new function as an option.
    const isReplacement = Math.abs(Date.now() - this.#leftAt) < unmountGraceMs
    const minAge = isReplacement ? defaultIntervalMs : 0
    // As with a revoked key, which this client replaces.
    const isOfOtherClient = isFatal(error) && !this.#context.errors.has(error as Error)
    return (
      enabled &&
      observed.attach().isStaleByTime(Math.max(staleTime, minAge)) &&
      // An additional observer of a failed query does not retry it.
      (isOfOtherClient || !isInBackoff(error, errorUpdatedAt, minAge))
    )
  }

  /** Fetches unless other tabs have delivered a fresh response. */
  async #fetchOnMount(): Promise<void> {
    const ready = this.#context.poller.coordinator?.ready
    if (ready) {
      await ready
      if (!this.#observed?.getCurrentResult().isStale) {
        return
      }
    }
    await this.refetch()
  }
}
