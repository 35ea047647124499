import { type Query, replaceEqualDeep } from '@tanstack/query-core'
import type { ListOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { type HeadwaterError, toHeadwaterError } from '../errors/HeadwaterError.ts'
import type { PollState } from '../polling/Pollable.ts'
import type { FetchAllOptions } from './CollectionSnapshot.ts'
import {
  fetchPage,
  loopNotices,
  maxEmptyPages,
  mergeNotices,
  movedRowsNotices,
  outdatedNotices,
  type Page,
  type PageNotices,
} from './pages.ts'
import { RowSet } from './RowSet.ts'

/** The loaded part of a listing. */
export interface CollectionState<Item> {
  readonly rows: readonly Item[]
  /** Loaded pages, including the head. */
  readonly pageCount: number
  /** Whether the service has more pages. */
  readonly hasMore: boolean
  /** Error of the latest request of a page after the head. */
  readonly error: HeadwaterError | null
  readonly response_time: string | undefined
  /** Fields of snapshots; the same object until one of them changed. */
  readonly fields: Required<PageNotices> & { readonly isFetchingNextPage: boolean }
}

/** The collections of a client. */
export interface CollectionRegistry {
  /** By the query of their head: a collection lives as long as the cache keeps its head. */
  readonly byQuery: WeakMap<Query, { onHeadUpdate(type: string): void }>
  /** Callbacks of the streams, called when the tail of a collection changed. */
  readonly updates: Set<() => void>
  isDestroyed: boolean
}

/** The loaded pages after the head. */
interface Tail {
  /** Loaded pages, including the head. */
  readonly pageCount: number
  /** Cursor of the next page. */
  readonly cursor: string | null | undefined
  /** Cursors of the loaded pages, to detect a listing that repeats. */
  readonly requested: Set<string>
  readonly notices: PageNotices
  /** Latest pages in a row without rows; `Infinity` if the latest one repeated known rows only. */
  readonly emptyPages: number
}

/** While `fetchAll` runs, rows are displayed whenever their number grew by this factor. */
const displayGrowth = 1.25

/** How to refetch the tail. */
interface RefetchOptions {
  /** Whether to end when all stale rows were found, or after some pages. */
  isSearch: boolean
  /** Whether an error is not part of the state. */
  isBackground: boolean
}

/** A refetch of the tail in flight. Its options are those of all that join it. */
interface Refetch extends RefetchOptions {
  promise?: Promise<void>
}

/** Maximum number of pages that a search for stale rows reads. */
const maxSearchPages = 10

/** A listing with a query of the cache as its head. Loads the pages after it, one at a time. */
export class PagedCollection<Parameters extends object, Response extends object, Item> {
  /** Number of displayed rows, by page size. */
  readonly displayed = new Map<number, number>()
  /** Local time in milliseconds since which all rows of the tail have been read. */
  tailUpdatedAt = 0
  /**
   * Local time in milliseconds at which the latest refetch of the tail ended. 1 before the first, which is then due at once: with
   * 0, as for no response, the poller would wait for an interval since it was added.
   */
  refetchedAt = 1
  /** Pages of the latest refetch of the tail, including the head. */
  refetchedPages = 1
  /** Whether the error in the state is that of a refetch: the next one that succeeds clears it, also in the background. */
  isRefetchFailing = false
  /** Outcome of the latest request of the tail. */
  outcome: Omit<PollState, 'dataUpdatedAt'> = {
    status: 'success',
    error: null,
    errorUpdatedAt: 0,
    errorUpdateCount: 0,
  }
  readonly #client: Client
  readonly operation: ListOperation<Parameters, Response, Item>
  readonly parameters: Parameters
  readonly #query: Query
  readonly #registry: CollectionRegistry
  readonly #rows: RowSet<Item>
  #state: CollectionState<Item> | undefined
  #head: Page | undefined
  #tail: Tail = createTail(1, undefined)
  #error: HeadwaterError | null = null
  #fetchingNext: Promise<void> | undefined
  #refetch: Refetch | undefined
  /** Whether the latest whole refetch of the tail missed rows: they are gone, or moved up meanwhile. The next one decides. */
  #hasMissedRows = false
  /** Whether the tail is older than its streams requested, or a search gave up. */
  #isOutdated = false
  #fetchAllCount = 0
  /** Number of calls of the user that wait for the next page. */
  #userCount = 0
  /** Row count at the latest update of the streams. */
  #displayedCount = 0
  /** Requests run one at a time, in order. */
  #queue = Promise.resolve()
  /** Aborts the request in flight. */
  #abortController = new AbortController()
  /** Whether the head was invalidated, so that its next response also refetches the tail. */
  #isInvalidated = false

  /**
   * @param parameters - Parameters of the head.
   * @param query - The query of the head.
   */
  constructor(
    client: Client,
    operation: ListOperation<Parameters, Response, Item>,
    parameters: Parameters,
    query: Query,
    registry: CollectionRegistry,
  ) {
    this.#client = client
    this.operation = operation
    this.parameters = parameters
    this.#query = query
    this.#registry = registry
    this.#rows = new RowSet(operation.getItemId)
  }

  /** Loaded pages, including the head. */
  get pageCount(): number {
    return this.#tail.pageCount
  }

  /** Whether the service has more pages. */
  get hasMore(): boolean {
    return Boolean(this.#tail.cursor)
  }

  /** Whether rows left their page and another refetch is necessary to find them. */
  get hasMovedRows(): boolean {
    return this.#rows.hasStaleRows || this.#hasMissedRows
  }

  /** Whether the pages after the head are refetched. */
  get isRefetching(): boolean {
    return this.pageCount > 1 && !!this.#refetch
  }

  /** Whether the latest fetch of the head failed. */
  get isHeadFailing(): boolean {
    return this.#query.state.status === 'error'
  }

  /** The current state; undefined while the cache has no head. */
  read(): CollectionState<Item> | undefined {
    const head = this.#query.state.data as Page | undefined
    if (head !== this.#head) {
      this.#head = head
      this.#applyHead()
      this.#updateState()
    }
    return this.#state
  }

  /** Loads the next page for the user: until it has arrived, no page waits for the budget. Never rejects. */
  async fetchNextForUser(): Promise<void> {
    this.#userCount++
    this.#client.usageTracker.limiter?.drain()
    await this.#fetchNext()
    this.#userCount--
  }

  /** Loads the next page, or joins the request in flight. Never rejects. */
  #fetchNext(): Promise<void> {
    if (!this.#tail.cursor) {
      return this.#queue
    }
    this.#fetchingNext ??= this.#enqueue(async () => {
      const { cursor, pageCount, requested, notices, emptyPages } = this.#tail
      if (!cursor) {
        return
      }
      const page = await this.#fetchPage(cursor)
      const items = this.#itemsOf(page)
      if (pageCount === 1) {
        this.tailUpdatedAt = Date.now()
      }
      const hasNewRows = this.#rows.append(items)
      this.#tail = createTail(
        pageCount + 1,
        page.next_offset,
        requested.add(cursor),
        mergeNotices(notices, page),
        hasNewRows ? 0 : items.length > 0 ? Infinity : emptyPages + 1,
      )
    }).then(() => {
      this.#fetchingNext = undefined
      if (this.#tail.pageCount === 1) {
        // Without the page, no row can be on it.
        this.#applyHead()
      }
      this.#notify(true)
    })
    this.#notify(true)
    return this.#fetchingNext
  }

  /** Loads all pages. Rejects only with an error of `onProgress`. */
  async fetchAll({ onProgress, maxPages = Infinity, signal }: FetchAllOptions): Promise<void> {
    this.#fetchAllCount++
    this.#displayedCount = 0
    try {
      while (this.#tail.cursor && this.#tail.pageCount < maxPages && !signal?.aborted) {
        const { pageCount } = this.#tail
        await this.#fetchNext()
        if (this.#tail.pageCount === pageCount) {
          return
        }
        onProgress?.({ pages: this.#tail.pageCount, rows: this.#rows.size })
      }
    } finally {
      this.#fetchAllCount--
      this.#notify()
    }
  }

  /** Refetches the loaded pages after the head, or joins the refetch in flight. Never rejects. */
  refetchTail({ isSearch, isBackground }: RefetchOptions): Promise<void> {
    const refetch: Refetch = (this.#refetch ??= { isSearch, isBackground })
    refetch.isSearch &&= isSearch
    refetch.isBackground &&= isBackground
    refetch.promise ??= this.#enqueue(() => this.#refetchPages(refetch), refetch).then(() => {
      this.refetchedAt = Date.now()
      this.#refetch = undefined
      this.#notify()
    })
    this.#notify()
    return refetch.promise
  }

  /** Reports that the tail is older than requested, until it was refetched. */
  markOutdated(): void {
    if (!this.#isOutdated) {
      this.#isOutdated = true
      this.#notify()
    }
  }

  /**
   * Refetches the tail after the head was invalidated and has a response again, as invalidation of an infinite query does.
   *
   * @param type - The action that updated the query of the head.
   */
  onHeadUpdate(type: string): void {
    if (type === 'invalidate') {
      this.#isInvalidated = true
    } else if (type === 'success' && this.#isInvalidated && this.#isObserved()) {
      this.#isInvalidated = false
      this.read()
      if (this.#tail.pageCount > 1) {
        void this.refetchTail({ isSearch: false, isBackground: false })
      }
    }
  }

  /** Aborts requests without observers. Call it after a stream stopped. */
  releaseIfUnobserved(): void {
    if (!this.#isObserved()) {
      this.#abort()
    }
  }

  #applyHead(): void {
    const head = this.#head
    const cursor = head?.next_offset
    if (!cursor) {
      this.#error = null
      this.#abort()
    }
    // A page in flight continues the previous head, so a row may currently be on neither page.
    const isHeadOnly = !cursor || (this.#tail.pageCount === 1 && !this.#fetchingNext)
    this.#rows.setHead(head ? this.#itemsOf(head) : [], isHeadOnly)
    if (isHeadOnly) {
      this.#tail = createTail(1, cursor)
      this.#hasMissedRows = this.#isOutdated = false
    }
  }

  #isObserved(): boolean {
    return this.#query.getObserversCount() > 0
  }

  #itemsOf(page: Page): readonly Item[] {
    return page[this.operation.itemsField as never]
  }

  /** The request waits for the budget, unless the user waits for it. */
  #fetchPage(offset: string): Promise<Page> {
    if (this.#registry.isDestroyed) {
      this.#abortController.abort()
    }
    const parameters = { ...this.parameters, offset }
    const { signal } = this.#abortController
    const isBackground = () => this.#userCount === 0
    return fetchPage(this.#client, this.operation, parameters, {
      signal,
      get background() {
        return isBackground()
      },
    })
  }

  #abort(): void {
    if (!(this.#fetchingNext ?? this.#refetch)) {
      return
    }
    this.#abortController.abort()
    this.#abortController = new AbortController()
  }

  /** Runs a task after those queued before. Its error becomes part of the state, unless it is a refetch in the background. */
  #enqueue(task: () => Promise<void>, refetch?: Refetch): Promise<void> {
    const { signal } = this.#abortController
    return (this.#queue = this.#queue.then(async () => {
      if (signal.aborted) {
        return
      }
      let error: HeadwaterError | null = null
      try {
        await task()
        this.outcome = { ...this.outcome, status: 'success', error }
      } catch (caught) {
        if (!signal.aborted) {
          error = toHeadwaterError(caught)
          const errorUpdateCount = this.outcome.errorUpdateCount + 1
          this.outcome = { status: 'error', error, errorUpdatedAt: Date.now(), errorUpdateCount }
        }
      }
      if (!refetch?.isBackground || (this.isRefetchFailing && !error)) {
        this.#error = error
        this.isRefetchFailing = refetch !== undefined && error !== null
      }
    }))
  }

  async #refetchPages(refetch: Refetch): Promise<void> {
    const { signal } = this.#abortController
    const startedAt = Date.now()
    const requested = new Set<string>()
    let notices: PageNotices = {}
    let pageCount = 1
    let cursor = this.#head?.next_offset
    const isWhole = () => !cursor || requested.has(cursor) || pageCount >= this.#tail.pageCount
    const isSearchOver = () =>
      refetch.isSearch &&
      !this.#hasMissedRows &&
      (!this.#rows.hasSoughtRows || pageCount > maxSearchPages)
    this.#rows.startRefetch()
    try {
      while (cursor && !isWhole() && !isSearchOver()) {
        const page: Page = await this.#fetchPage(cursor)
        requested.add(cursor)
        this.#rows.refetch(this.#itemsOf(page))
        notices = mergeNotices(notices, page)
        cursor = page.next_offset
        pageCount++
      }
    } catch (error) {
      this.#isOutdated ||= !signal.aborted && !refetch.isSearch
      throw error
    } finally {
      this.refetchedPages = pageCount
    }
    if (isWhole()) {
      this.#tail = createTail(pageCount, cursor, requested, notices)
      this.tailUpdatedAt = startedAt
      this.#isOutdated = false
      // Rows may also be missing because they are on pages that are not loaded.
      this.#hasMissedRows = this.#rows.endRefetch() && !cursor
    } else {
      this.#isOutdated ||= this.#rows.endSearch()
    }
  }

  #updateState(): void {
    this.#displayedCount = this.#rows.size
    this.#state = this.#head && {
      rows: this.#rows.read(),
      pageCount: this.#tail.pageCount,
      hasMore: this.hasMore,
      error: this.#error,
      response_time: this.#head.response_time,
      fields: replaceEqualDeep(this.#state?.fields, {
        isFetchingNextPage: this.#fetchAllCount > 0 || this.#fetchingNext !== undefined,
        ...mergeNotices(
          this.#head,
          this.#tail.notices,
          this.hasMovedRows ? movedRowsNotices : {},
          this.#isOutdated ? outdatedNotices : {},
        ),
      }),
    }
  }

  /** Updates the state and the streams, unless a page of `fetchAll` added few rows. */
  #notify(isNextPage = false): void {
    if (
      isNextPage &&
      this.#error === this.#state?.error &&
      this.#fetchAllCount > 0 &&
      this.#tail.cursor &&
      this.#rows.size < this.#displayedCount * displayGrowth
    ) {
      return
    }
    this.#updateState()
    for (const update of [...this.#registry.updates]) {
      update()
    }
  }
}

/** Ends the tail if it would repeat: its cursor was used before, or its latest pages had no new rows. */
function createTail(
  pageCount: number,
  cursor: string | null | undefined,
  requested = new Set<string>(),
  notices: PageNotices = {},
  emptyPages = 0,
): Tail {
  const isLoop = cursor && (emptyPages > maxEmptyPages || requested.has(cursor))
  return {
    pageCount,
    cursor: isLoop ? null : cursor,
    requested,
    notices: isLoop ? mergeNotices(notices, loopNotices) : notices,
    emptyPages,
  }
}
