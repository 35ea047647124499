import type { Query, QueryClient, QueryState } from '@tanstack/query-core'
import { destroyedMessage } from '../errors/createDestroyedError.ts'
import { isHeldBack } from '../errors/isHeldBack.ts'
import { retryAfterOf } from '../errors/retryAfterOf.ts'
import { CachedQuery, type CachedQueryOwner } from './CachedQuery.ts'
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
 * there are.
 */
export class SharedQuery implements Pollable, CachedQueryOwner {
  /** The shortest that an enabled watcher wants. */
  interval = Infinity
  /** A first answer that failed and is asked for again is still a failure, until something better is known. */
  state: QueryState | undefined
  readonly #question: Question<unknown>
  readonly #context: SharedQueryContext
  readonly #watchers = new Set<Watcher>()
  #enabled = 0
  /** When the last enabled watcher left, by the local clock. */
  #leftAt = -Infinity
  /** How many enabled watchers want which interval. */
  readonly #intervals = new Map<number, number>()
  #cached: CachedQuery | undefined
  #farewell: ReturnType<typeof setTimeout> | undefined

  constructor(question: Question<unknown>, context: SharedQueryContext) {
    this.#question = question
    this.#context = context
  }

  get queryKey(): readonly unknown[] {
    return this.#question.query.queryKey
  }

  get cost(): number {
    return this.#question.cost()
  }

  /** The answer that is awaited just now, whoever asked. */
  get underWay(): Promise<unknown> | undefined {
    return this.#cached?.underWay
  }

  add(watcher: Watcher): void {
    clearTimeout(this.#farewell)
    this.#watchers.add(watcher)
    if (watcher.enabled) this.#count(watcher, 1)
    const cached = (this.#cached ??= this.#start(watcher))
    cached.keepFor(watcher.gcTime ?? 0)
    if (this.#isToAsk(watcher, cached)) void this.#askForNewcomer()
    else this.#context.poller.update(this)
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

  /** For the poller. */
  async refetch(): Promise<void> {
    await this.#cached?.poll()
  }

  /** Asks now, or joins the request under way. Resolves when it is settled, whatever came of it. */
  async ask(): Promise<void> {
    await this.#cached?.refetch()
  }

  onSettled(): void {
    this.#context.poller.update(this)
  }

  /** Asks for who came, once it is known what other tabs know. */
  async #askForNewcomer(): Promise<void> {
    const known = this.#context.poller.deputy?.ready
    if (known) {
      await known
      if (!this.#cached?.getCurrentResult().isStale) return
    }
    await this.ask()
  }

  isStale(query: Query): boolean {
    return [...this.#watchers].some(
      ({ enabled, staleTime }) => enabled && query.isStaleByTime(staleTime),
    )
  }

  onQueryUpdate(): void {
    const newest = this.#cached?.state
    const { state: told } = this
    if (!newest || (told && newest.status === 'pending' && newest.errorUpdateCount > 0)) return
    // Another client on the same cache asked, and was destroyed: that says nothing here, where somebody still asks.
    if (newest.error?.message === destroyedMessage) {
      if (newest.fetchStatus === 'idle' && this.#enabled > 0) void this.ask()
    } else {
      this.state = newest
      // Most rounds bring nothing new, and there may be thousands of watchers.
      if (
        newest.data !== told?.data ||
        newest.error !== told?.error ||
        newest.status !== told?.status
      ) {
        for (const each of [...this.#watchers]) each.update()
      }
    }
    if (newest.fetchStatus === 'idle') this.onSettled()
  }

  /** Lets go of everything at once. */
  stop(): void {
    clearTimeout(this.#farewell)
    this.#context.poller.remove(this)
    this.#cached?.release()
    this.#cached = undefined
    this.#context.onStop()
  }

  /** By number, as going through all watchers whenever one comes or goes would be quadratic. */
  #count({ refetchInterval }: Watcher, change: 1 | -1): void {
    this.#enabled += change
    const count = (this.#intervals.get(refetchInterval) ?? 0) + change
    if (count === 0) this.#intervals.delete(refetchInterval)
    else this.#intervals.set(refetchInterval, count)
    const shortest = Math.min(...this.#intervals.keys())
    if (shortest === this.interval) return
    this.interval = shortest
    // Else it may be watched again in a moment.
    if (this.#watchers.size > 0) this.#context.poller.deputy?.changed()
  }

  #start({ gcTime }: Watcher): CachedQuery {
    const { query } = this.#question
    const options = {
      ...query,
      ...(gcTime !== undefined && { gcTime }),
      enabled: () => this.#enabled > 0,
      staleTime: Infinity,
      // A poll waits for as long as the service asks, and meanwhile everybody sees why.
      retry: (failureCount: number, error: Error) =>
        (this.interval === Infinity || retryAfterOf(error) === 0) &&
        query.retry(failureCount, error),
    }
    this.#cached = new CachedQuery(this.#context.queryClient, options, this)
    this.onQueryUpdate()
    this.#context.poller.add(this)
    return this.#cached
  }

  /** Whether to ask for a watcher that came, or whether what is known will do. */
  #isToAsk({ enabled, staleTime }: Watcher, cached: CachedQuery): boolean {
    if (!enabled || !cached.isStaleByTime(staleTime)) return false
    // It took the place of one that just left, as when a component renders with a new `select`: nobody came.
    if (Math.abs(Date.now() - this.#leftAt) < moment) return false
    // One more that looks at a failure is no reason to ask again.
    return !isHeldBack(cached.state.error, cached.state.errorUpdatedAt)
  }
}
