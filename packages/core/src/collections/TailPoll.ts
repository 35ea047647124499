import type { Pollable, PollState } from '../polling/Pollable.ts'
import type { Poller } from '../polling/Poller.ts'
import { toInterval, type WatchOptions } from '../queries/WatchOptions.ts'
import { msPerMinute } from '../time.ts'
import type { CollectionOptions } from './CollectionSnapshot.ts'
import type { PagedCollection } from './PagedCollection.ts'

type Collection = Pick<
  PagedCollection<object, object, unknown>,
  | 'fetchAll'
  | 'hasMore'
  | 'hasMovedRows'
  | 'isHeadFailing'
  | 'isRefetchFailing'
  | 'markOutdated'
  | 'outcome'
  | 'pageCount'
  | 'refetchedAt'
  | 'refetchedPages'
  | 'refetchTail'
  | 'tailUpdatedAt'
>

interface TailPollOptions
  extends
    Pick<WatchOptions<unknown>, 'enabled'>,
    Pick<CollectionOptions<unknown>, 'maxPages' | 'tailRefetchInterval'> {
  /** Whether to load all pages. Default false. */
  readonly loadsAll?: boolean | undefined
}

/** A page of the tail is requested at most once in this number of polls of the head, on average. */
const pollsPerPage = 3
const minSearchIntervalMs = msPerMinute
const minRefetchIntervalMs = 5 * msPerMinute

/**
 * Keeps the tail of a listing (the pages after the first) current for one stream: loads missing pages if the stream requires
 * all, searches rows that left the head, and refetches the tail now and then. An entry of the poller while there is a tail.
 */
export class TailPoll implements Pollable {
  /** None for the throttle: the requests run in the background, where the budget delays each of them. */
  readonly cost = 0
  readonly #isEnabled: boolean
  readonly #getInterval: () => number
  readonly #tailRefetchInterval: number | undefined
  /** Number of pages to load. */
  readonly #requiredPages: number
  readonly #poller: Poller
  /** The listing, while the stream is subscribed. */
  collection: Collection | undefined
  #isAdded = false
  #loading: AbortController | undefined

  /** @param getInterval - Returns the interval of the polls of the head. */
  constructor(options: TailPollOptions, poller: Poller, getInterval: () => number) {
    const { enabled = true, loadsAll, maxPages = Infinity, tailRefetchInterval } = options
    this.#isEnabled = enabled
    this.#getInterval = getInterval
    this.#tailRefetchInterval =
      tailRefetchInterval === undefined ? undefined : toInterval(tailRefetchInterval)
    this.#requiredPages = loadsAll ? maxPages : 0
    this.#poller = poller
  }

  /** Milliseconds per page of the tail. */
  get #intervalPerPage(): number {
    return pollsPerPage * this.#getInterval()
  }

  get interval(): number {
    const collection = this.collection
    if (!collection || this.#hasMissingPages(collection)) {
      return this.#getInterval()
    }
    const refetchInterval = this.#getRefetchInterval(collection)
    if (collection.isRefetchFailing) {
      return Math.min(this.#getInterval() * collection.refetchedPages, refetchInterval)
    }
    const searchInterval = this.#intervalPerPage * collection.refetchedPages
    return collection.hasMovedRows
      ? Math.min(Math.max(minSearchIntervalMs, searchInterval), refetchInterval)
      : refetchInterval
  }

  get state(): PollState | undefined {
    const collection = this.collection
    if (!collection || collection.isHeadFailing) {
      return undefined
    }
    const { hasMovedRows, outcome, pageCount, refetchedAt, tailUpdatedAt } = collection
    return pageCount > 1 || this.#hasMissingPages(collection)
      ? { ...outcome, dataUpdatedAt: hasMovedRows ? refetchedAt : tailUpdatedAt }
      : undefined
  }

  /** Call it when the listing may have changed. */
  onUpdate(collection: Collection | undefined): void {
    this.collection = collection
    if (!collection || !this.#isEnabled) {
      return
    }
    if (this.#hasMissingPages(collection) && collection.outcome.status === 'success') {
      void this.poll()
    } else if (this.#isAdded) {
      this.#poller.reschedule(this)
    } else if (this.state) {
      this.#isAdded = true
      this.#poller.add(this)
    }
  }

  async poll(): Promise<void> {
    const collection = this.collection
    if (!collection || this.#loading) {
      return
    }
    if (this.#hasMissingPages(collection)) {
      const { signal } = (this.#loading = new AbortController())
      await collection.fetchAll({ maxPages: this.#requiredPages, signal })
      if (signal.aborted) {
        return
      }
      this.#loading = undefined
    } else {
      const age = Math.abs(Date.now() - collection.tailUpdatedAt)
      const refetchInterval = this.#getRefetchInterval(collection)
      if (age >= 2 * refetchInterval) {
        collection.markOutdated()
      }
      const { hasMovedRows, isRefetchFailing } = collection
      const isSearch = hasMovedRows && !isRefetchFailing && age < refetchInterval
      await collection.refetchTail({ isSearch, isBackground: true })
    }
    this.#poller.reschedule(this)
  }

  stop(): void {
    this.#loading?.abort()
    this.#loading = this.collection = undefined
    this.#isAdded = false
    this.#poller.remove(this)
  }

  #hasMissingPages({ hasMore, pageCount }: Collection): boolean {
    return hasMore && pageCount < this.#requiredPages
  }

  #getRefetchInterval({ pageCount }: Collection): number {
    return (
      this.#tailRefetchInterval ?? Math.max(minRefetchIntervalMs, this.#intervalPerPage * pageCount)
    )
  }
}
