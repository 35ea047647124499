import { type Query, replaceEqualDeep } from '@tanstack/query-core'
import type { ListOperation } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { type HeadwaterError, toHeadwaterError } from '../errors/HeadwaterError.ts'
import type { FetchAllOptions } from './CollectionSnapshot.ts'
import {
  fetchPage,
  loopNotices,
  maxEmptyPages,
  mergeNotices,
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
  readonly byQuery: WeakMap<Query, unknown>
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

/** Minimum time between searches for stale rows, each of which costs a page. */
const searchIntervalMs = 60_000

/** Delay before checking whether a poll has succeeded since. */
const searchRetryMs = 10_000

/** A listing with a query of the cache as its head. Loads the pages after it, one at a time. */
export class PagedCollection<Parameters extends object, Response extends object, Item> {
  /** Number of displayed rows, by page size. */
  readonly displayed = new Map<number, number>()
  readonly #client: Client
  readonly #operation: ListOperation<Parameters, Response, Item>
  readonly #parameters: Parameters
  readonly #query: Query
  readonly #registry: CollectionRegistry
  readonly #rows: RowSet<Item>
  #state: CollectionState<Item> | undefined
  #head: Page | undefined
  #tail: Tail = createTail(1, undefined)
  #error: HeadwaterError | null = null
  #fetchingNext: Promise<void> | undefined
  #refetchingTail: Promise<void> | undefined
  /** Number of pages that the running refetch of the tail covers. */
  #refetchDepth = 0
  #fetchAllCount = 0
  /** Row count at the latest update of the streams. */
  #displayedCount = 0
  /** Requests run one at a time, in order. */
  #queue = Promise.resolve()
  /** Aborts the request in flight. */
  #abortController = new AbortController()
  /** The latest search for stale rows: age of the head at that time, and how much newer the head must be for the next. */
  #search = { headUpdatedAt: -Infinity, minIntervalMs: 0 }
  #searchTimer: ReturnType<typeof setTimeout> | undefined

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
    this.#operation = operation
    this.#parameters = parameters
    this.#query = query
    this.#registry = registry
    this.#rows = new RowSet(operation.getItemId)
  }

  /** The current state; undefined while the cache has no head. */
  read(): CollectionState<Item> | undefined {
    const head = this.#query.state.data as Page | undefined
    if (head !== this.#head) {
      this.#head = head
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
      }
      this.#updateState()
    }
    this.#searchStaleRows()
    return this.#state
  }

  /** Loads the next page, or joins the request in flight. Never rejects. */
  fetchNext(background?: boolean): Promise<void> {
    if (!this.#tail.cursor) {
      return this.#queue
    }
    this.#fetchingNext ??= this.#enqueue(async () => {
      const { cursor, pageCount, requested, notices, emptyPages } = this.#tail
      if (!cursor) {
        return
      }
      const page = await this.#fetchPage(cursor, background)
      const items = this.#itemsOf(page)
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
      this.#notify()
    })
    this.#notify()
    return this.#fetchingNext
  }

  /** Loads all pages. Rejects only with an error of `onProgress`. */
  async fetchAll({ onProgress, maxPages = Infinity, signal }: FetchAllOptions): Promise<void> {
    this.#fetchAllCount++
    this.#displayedCount = 0
    try {
      while (this.#tail.cursor && this.#tail.pageCount < maxPages && !signal?.aborted) {
        const { pageCount } = this.#tail
        await this.fetchNext(true)
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

  /** Refetches the loaded pages after the head, up to a number of pages including the head. Never rejects. */
  refetchTail(depth = Infinity): Promise<void> {
    this.#refetchDepth = Math.max(this.#refetchDepth, depth)
    return (this.#refetchingTail ??= this.#enqueue(
      async () => {
        const head = this.#head
        this.#search = { headUpdatedAt: this.#query.state.dataUpdatedAt, minIntervalMs: 1 }
        const items: Item[] = []
        const requested = new Set<string>()
        let notices: PageNotices = {}
        let pageCount = 1
        let cursor = head?.next_offset
        while (
          cursor &&
          !requested.has(cursor) &&
          pageCount < Math.min(this.#tail.pageCount, this.#refetchDepth)
        ) {
          const page = await this.#fetchPage(cursor, true)
          requested.add(cursor)
          for (const item of this.#itemsOf(page)) {
            items.push(item)
          }
          notices = mergeNotices(notices, page)
          cursor = page.next_offset
          pageCount++
        }
        const isComplete = !cursor || pageCount >= this.#tail.pageCount
        const isCurrent = head === this.#head
        this.#rows.setTail(items, isComplete, isCurrent)
        if (isCurrent) {
          this.#search = { ...this.#search, minIntervalMs: searchIntervalMs }
        }
        if (isComplete) {
          this.#tail = createTail(pageCount, cursor, requested, notices)
        }
      },
      // A background search reports no error.
      () => this.#refetchDepth === Infinity,
    ).then(() => {
      this.#refetchingTail = undefined
      this.#refetchDepth = 0
      this.#notify()
    }))
  }

  /** Aborts requests without observers. Call it after a stream stopped. */
  releaseIfUnobserved(): void {
    if (this.#isObserved()) {
      return
    }
    this.#abort()
    clearTimeout(this.#searchTimer)
    this.#searchTimer = undefined
  }

  #isObserved(): boolean {
    return this.#query.getObserversCount() > 0
  }

  #itemsOf(page: Page): readonly Item[] {
    return page[this.#operation.itemsField as never]
  }

  #fetchPage(offset: string, background = false): Promise<Page> {
    if (this.#registry.isDestroyed) {
      this.#abortController.abort()
    }
    const parameters = { ...this.#parameters, offset }
    const { signal } = this.#abortController
    return fetchPage(this.#client, this.#operation, parameters, signal, background)
  }

  #abort(): void {
    if (!(this.#fetchingNext ?? this.#refetchingTail)) {
      return
    }
    this.#abortController.abort()
    this.#abortController = new AbortController()
  }

  /** Runs a task after those queued before. Its error becomes part of the state if `reportsError`. */
  #enqueue(task: () => Promise<void>, reportsError = () => true): Promise<void> {
    const { signal } = this.#abortController
    return (this.#queue = this.#queue.then(async () => {
      if (signal.aborted) {
        return
      }
      let error: HeadwaterError | null = null
      try {
        await task()
      } catch (caught) {
        if (!signal.aborted) {
          error = toHeadwaterError(caught)
        }
      }
      if (reportsError()) {
        this.#error = error
      }
    }))
  }

  /** Searches the second page for rows that left the head, after a successful poll and not too often. */
  #searchStaleRows(): void {
    if (
      !this.#rows.hasStaleRows ||
      this.#refetchingTail ||
      this.#searchTimer ||
      !this.#isObserved()
    ) {
      return
    }
    const { headUpdatedAt, minIntervalMs } = this.#search
    if (Math.abs(this.#query.state.dataUpdatedAt - headUpdatedAt) >= minIntervalMs) {
      void this.refetchTail(2)
    } else {
      this.#searchTimer = setTimeout(() => {
        this.#searchTimer = undefined
        this.#searchStaleRows()
      }, searchRetryMs)
    }
  }

  #updateState(): void {
    this.#displayedCount = this.#rows.size
    this.#state = this.#head && {
      rows: this.#rows.read(),
      pageCount: this.#tail.pageCount,
      hasMore: Boolean(this.#tail.cursor),
      error: this.#error,
      response_time: this.#head.response_time,
      fields: replaceEqualDeep(this.#state?.fields, {
        isFetchingNextPage: this.#fetchAllCount > 0 || this.#fetchingNext !== undefined,
        ...mergeNotices(this.#head, this.#tail.notices),
      }),
    }
  }

  /** Updates the state and the streams, unless `fetchAll` runs and few rows were added. */
  #notify(): void {
    if (
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
