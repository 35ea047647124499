import type { Warning } from '@headwater/contract'
import { createSnapshotReader } from '../streams/createSnapshotReader.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { CollectionOptions } from './CollectionOptions.ts'
import type { CollectionSnapshot, FetchAllOptions } from './CollectionSnapshot.ts'
import type { Listing, ListingState } from './Listing.ts'
import { isSame } from './Rows.ts'

const cut: Warning = {
  code: 'MAX_PAGES',
  message: 'The service lists more than the pages that `maxPages` allows.',
}

/** What snapshots of a listing are made of: the stream of its first page, and the pages below. */
export class CollectionSource<Item, S> {
  readonly #head: SnapshotStream<object>
  readonly #find: () => Listing<Item> | undefined
  readonly #readRows: ReturnType<typeof createSnapshotReader<readonly Item[], S>>
  readonly #pageSize: number
  readonly #maxPages: number
  #listing: Listing<Item> | undefined
  /** How many rows are handed out. */
  #shown: number
  #rows: readonly Item[] = []
  #snapshot: CollectionSnapshot<Item, S, object> | undefined
  #update: (() => void) | undefined
  #leave = () => {}

  /**
   * @param head - The stream of the first page.
   * @param find - Finds the listing while the cache has its first page.
   * @param options - How to watch.
   */
  constructor(
    head: SnapshotStream<object>,
    find: () => Listing<Item> | undefined,
    options: CollectionOptions<Item, S>,
  ) {
    this.#head = head
    this.#find = find
    this.#readRows = createSnapshotReader(options, this.#refetch)
    this.#shown = this.#pageSize = options.pageSize ?? Infinity
    this.#maxPages = options.maxPages ?? Infinity
  }

  readonly start = (update: () => void): void => {
    this.#update = update
    const subscription = this.#head.subscribe(update)
    this.#leave = () => subscription.unsubscribe()
    this.#listing?.add(update)
  }

  readonly stop = (): void => {
    this.#leave()
    if (this.#update) this.#listing?.remove(this.#update)
    this.#update = undefined
  }

  readonly read = (): CollectionSnapshot<Item, S, object> => {
    const first = this.#head.getSnapshot()
    const state = this.#follow(first.data)
    const error = first.error ?? state?.error ?? null
    const base = this.#readRows({
      status: error ? 'error' : first.status,
      data: state && this.#take(state.rows),
      error,
    })
    const { hasMore = false, pages = 0, warnings = [] } = state ?? {}
    const isCut = hasMore && pages >= this.#maxPages
    const next: CollectionSnapshot<Item, S, object> = {
      ...base,
      hasNextPage: (hasMore && !isCut) || (state?.rows.length ?? 0) > this.#shown,
      isFetchingNextPage: state?.isFetchingNextPage ?? false,
      fetchNextPage: this.#fetchNextPage,
      fetchAll: this.#fetchAll,
      warnings: isCut ? [...warnings, cut] : warnings,
      errors: state?.errors,
      response_time: state?.responseTime,
    }
    return (this.#snapshot = keepSame(this.#snapshot, next))
  }

  /** What is known of the listing, given its newest first page. */
  #follow(page: object | undefined): ListingState<Item> | undefined {
    const listing = this.#find()
    if (listing && listing !== this.#listing) {
      if (this.#update) {
        this.#listing?.remove(this.#update)
        listing.add(this.#update)
      }
      this.#listing = listing
      this.#shown = this.#pageSize
    }
    return this.#listing?.follow(page)
  }

  /** The rows that are handed out; the same list until one of them changed. */
  #take(rows: readonly Item[]): readonly Item[] {
    if (rows.length <= this.#shown) return rows
    const taken = rows.slice(0, this.#shown)
    if (!isSame(this.#rows, taken)) this.#rows = taken
    return this.#rows
  }

  /** Polls refresh the first page alone; who asks for a refresh gets one of all that is here. */
  readonly #refetch = async (): Promise<void> => {
    await this.#head.getSnapshot().refetch()
    this.read()
    await this.#listing?.readAgain()
  }

  readonly #fetchNextPage = async (): Promise<void> => {
    const { data, refetch } = this.#head.getSnapshot()
    if (data === undefined) return refetch()
    if (!this.read().hasNextPage) return
    this.#shown += this.#pageSize
    this.#update?.()
    const { rows = [], pages = 0 } = this.#follow(data) ?? {}
    if (rows.length < this.#shown && pages < this.#maxPages) await this.#listing?.readNext()
  }

  readonly #fetchAll = async (options: FetchAllOptions = {}): Promise<void> => {
    const { data, refetch } = this.#head.getSnapshot()
    if (data === undefined) await refetch()
    this.#follow(this.#head.getSnapshot().data)
    this.#shown = Infinity
    this.#update?.()
    const maxPages = Math.min(options.maxPages ?? Infinity, this.#maxPages)
    await this.#listing?.readAll({ ...options, maxPages })
  }
}

/** The snapshot of before, when the newest says the same. */
function keepSame<T extends object>(before: T | undefined, newest: T): T {
  const isKept = (name: string) => {
    // A new time alone is no news.
    if (name === 'response_time') return true
    const [a, b] = [before, newest].map((each) => each?.[name as keyof T] as unknown)
    return a === b || (name === 'warnings' && isSame(a as unknown[], b as unknown[]))
  }
  return before && Object.keys(newest).every(isKept) ? before : newest
}
