import { QueryObserver, type Query, type QueryClient, type QueryState } from '@tanstack/query-core'
import { retryAfterOf } from '../errors/retryAfterOf.ts'
import { stopsPolling } from '../errors/stopsPolling.ts'
import type { Pollable } from './Pollable.ts'
import type { Poller } from './Poller.ts'
import type { Question } from './Question.ts'
import type { Watcher } from './Watcher.ts'

/** How long a question outlives its last watcher, in milliseconds: a remount joins what is under way. */
const moment = 100

/** What a shared query needs of its client. */
export interface SharedQueryContext {
  readonly queryClient: QueryClient
  readonly poller: Poller
  readonly ssr: boolean
  /** Called once, when it has let go of everything. */
  readonly onStop: () => void
}

/**
 * One question while anybody watches it: one observer of the cache and one entry of the poller, however many streams
 * there are. (An observer a subscriber owns a timer each, which the cache clears and sets twice a round.)
 */
export class SharedQuery implements Pollable {
  readonly #question: Question<unknown>
  readonly #context: SharedQueryContext
  readonly #watchers = new Set<Watcher>()
  #enabled = 0
  /** When the last enabled watcher left, by the local clock. */
  #leftAt = -Infinity
  /** How many enabled watchers want which interval. */
  readonly #intervals = new Map<number, number>()
  #observer: QueryObserver | undefined
  /** The newest state that was an answer or a failure. */
  #settled: QueryState | undefined
  #farewell: ReturnType<typeof setTimeout> | undefined

  constructor(question: Question<unknown>, context: SharedQueryContext) {
    this.#question = question
    this.#context = context
  }

  get #cached(): Query | undefined {
    return this.#observer?.getCurrentQuery()
  }

  get queryKey(): readonly unknown[] {
    return this.#question.query.queryKey
  }

  get cost(): number {
    return this.#question.cost()
  }

  /** A first answer that failed and is asked for again is still a failure, until something better is known. */
  get state(): QueryState | undefined {
    const state = this.#cached?.state
    return state?.status === 'pending' && state.errorUpdateCount > 0
      ? (this.#settled ?? state)
      : state
  }

  get interval(): number {
    return Math.min(...this.#intervals.keys())
  }

  add(watcher: Watcher): void {
    clearTimeout(this.#farewell)
    this.#watchers.add(watcher)
    if (watcher.enabled) this.#count(watcher, 1)
    if (this.#observer === undefined) this.#start(watcher)
    else if (watcher.gcTime !== undefined) this.#observer.setOptions(this.#options(watcher))
    this.#ask(watcher)
    this.#context.poller.update(this)
  }

  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher)
    if (watcher.enabled) {
      this.#count(watcher, -1)
      this.#leftAt = Date.now()
    }
    if (this.#watchers.size > 0) return
    if (this.#context.ssr) this.stop()
    else this.#farewell = setTimeout(() => this.stop(), moment)
  }

  /** Asks now, or joins the request under way. Resolves when it is settled, whatever came of it. */
  async refetch(): Promise<void> {
    this.#remember()
    await this.#observer?.refetch({ cancelRefetch: false })
    this.#context.poller.update(this)
  }

  /** Lets go of everything at once. */
  stop(): void {
    clearTimeout(this.#farewell)
    this.#context.poller.remove(this)
    this.#observer?.destroy()
    this.#observer = undefined
    this.#context.onStop()
  }

  /** By number, as going through all watchers whenever one comes or goes would be quadratic. */
  #count({ refetchInterval }: Watcher, change: 1 | -1): void {
    this.#enabled += change
    const count = (this.#intervals.get(refetchInterval) ?? 0) + change
    if (count === 0) this.#intervals.delete(refetchInterval)
    else this.#intervals.set(refetchInterval, count)
  }

  #start(watcher: Watcher): void {
    const observer = new QueryObserver(this.#context.queryClient, this.#options(watcher))
    this.#observer = observer
    this.#remember()
    this.#context.poller.add(this)
    observer.subscribe(() => {
      this.#remember()
      for (const each of [...this.#watchers]) each.update()
      this.#context.poller.update(this)
    })
  }

  #remember(): void {
    const state = this.#cached?.state
    if (state?.status !== 'pending') this.#settled = state
  }

  /** Asks for a watcher that came, unless what is known will do. */
  #ask({ enabled, staleTime }: Watcher): void {
    if (!enabled || !this.#cached?.isStaleByTime(staleTime)) return
    const now = Date.now()
    // It took the place of one that just left, as when a component renders with a new `select`: nobody came.
    if (Math.abs(now - this.#leftAt) < moment) return
    // One more that looks at a refusal is no reason to ask again, or sooner than the service allows.
    const { error, errorUpdatedAt } = this.#cached.state
    const waited = now - errorUpdatedAt
    if (stopsPolling(error) || (waited >= 0 && waited < retryAfterOf(error))) return
    void this.refetch()
  }

  #options({ gcTime }: Watcher) {
    return {
      ...this.#question.query,
      enabled: () => this.#enabled > 0,
      ...(gcTime !== undefined && { gcTime }),
      // A poll waits for as long as the service asks, and meanwhile everybody sees why.
      retry: (failureCount: number, error: Error) =>
        (this.interval === Infinity || retryAfterOf(error) === 0) &&
        this.#question.query.retry(failureCount, error),
      // What is left to ask by itself is the very first answer. All else is asked by the poller, for all keys at once, and
      // by `#ask`, whatever the defaults of a shared cache say. A time to be stale at would be one more timer for each key.
      staleTime: Infinity,
      refetchInterval: false as const,
      refetchOnMount: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retryOnMount: false,
      // Else every fetch would notify when it begins and when it ends.
      notifyOnChangeProps: ['status', 'data', 'error'] as ('status' | 'data' | 'error')[],
    }
  }
}
