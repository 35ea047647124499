import type { BalancesErrors } from '@headwater/contract'
import { requireOptions } from '../client/requireClient.ts'
import { createSnapshots } from '../snapshots/createSnapshots.ts'
import type {
  SnapshotSource,
  SourceFetchState,
  SourceSnapshot,
  SourceTarget,
  WithoutFetchState,
} from '../snapshots/SharedSource.ts'
import type {
  CollectionOptions,
  CollectionSnapshot,
  FetchAllOptions,
} from './CollectionSnapshot.ts'
import type { CollectionRegistry, PagedCollection } from './PagedCollection.ts'
import { isSameArray } from './RowSet.ts'
import type { TailPoll } from './TailPoll.ts'

/** The listing of a query, for the streams that display it. */
export type Collection<Item> = Omit<
  PagedCollection<object, object, Item>,
  'operation' | 'parameters'
>

type CollectionSourceSnapshot<Item> = WithoutFetchState<
  CollectionSnapshot<Item, readonly Item[], BalancesErrors>
>

interface CollectionSourceContext<Item> {
  readonly registry: Pick<CollectionRegistry, 'updates' | 'isDestroyed'>
  readonly ssr: boolean
  /** Returns the collection while the cache contains its head. */
  readonly findCollection: () => Collection<Item> | undefined
  /** Keeps the pages after the head current. */
  readonly tailPoll: TailPoll
}

/** How long requests for pages continue after the last subscriber left; slightly longer than those of the head. */
const unmountGraceMs = 150

const initialFields = { isFetchingNextPage: false, warnings: [], errors: undefined }

const maxPagesWarning = {
  code: 'MAX_PAGES',
  message: 'The service has more pages than `maxPages`.',
}

/** The source of a collection stream: the stream of the head, and the pages after it. */
export class CollectionSource<Item> implements SnapshotSource<CollectionSourceSnapshot<Item>> {
  readonly #head: SnapshotSource<SourceSnapshot<object>>
  readonly #context: CollectionSourceContext<Item>
  readonly #pageSize: number
  readonly #maxPages: number
  readonly #toSnapshot = createSnapshots<readonly Item[]>(() => this.#refetch())
  #collection: Collection<Item> | undefined
  /** Called when the tail of a collection changed; undefined while the source is stopped. */
  #update: (() => void) | undefined
  /** The displayed rows, and what they were derived from. */
  #rows: readonly Item[] = []
  #rowsInput: readonly unknown[] = []
  /** The latest snapshot, and what it was derived from. */
  #snapshot: CollectionSourceSnapshot<Item> | undefined
  #snapshotInput: readonly unknown[] = []

  constructor(
    head: SnapshotSource<SourceSnapshot<object>>,
    context: CollectionSourceContext<Item>,
    {
      pageSize = Infinity,
      maxPages = Infinity,
    }: Pick<CollectionOptions<Item>, 'pageSize' | 'maxPages'>,
  ) {
    this.#head = head
    this.#context = context
    this.#pageSize = pageSize
    this.#maxPages = maxPages
  }

  read(): CollectionSourceSnapshot<Item> {
    const { status, error: headError } = this.#head.read()
    const state = this.#readCollection()
    const { rows: all, pageCount = 0, hasMore = false, fields = initialFields } = state ?? {}
    const rows = this.#selectRows(all)
    const error = headError ?? state?.error ?? null
    const base = this.#toSnapshot({ status: error ? 'error' : status, data: all && rows, error })
    const isCutOff = hasMore && pageCount >= this.#maxPages
    const hasNextPage = (hasMore && !isCutOff) || (all ?? []).length > rows.length
    const input = [base, fields, isCutOff, hasNextPage]
    if (!this.#snapshot || !isSameArray(this.#snapshotInput, input)) {
      this.#snapshotInput = input
      this.#snapshot = {
        ...base,
        ...fields,
        warnings: isCutOff ? [...fields.warnings, maxPagesWarning] : fields.warnings,
        hasNextPage,
        fetchNextPage: this.#fetchNextPage,
        fetchAll: this.#fetchAll,
      }
    }
    return this.#snapshot
  }

  readFetchState(): SourceFetchState {
    const { fetchStatus, dataUpdatedAt } = this.#head.readFetchState()
    const { fields, response_time } = this.#readCollection() ?? {}
    const isFetching = fields?.isFetchingNextPage || this.#collection?.isRefetching
    return { fetchStatus: isFetching ? 'fetching' : fetchStatus, dataUpdatedAt, response_time }
  }

  start(target: SourceTarget): void {
    const update = () => {
      target.update()
      this.#context.tailPoll.onUpdate(this.#collection)
    }
    this.#update = update
    this.#context.registry.updates.add(update)
    this.#head.start({ ...target, update })
    update()
  }

  stop(): void {
    const { registry, ssr, tailPoll } = this.#context
    this.#head.stop()
    if (this.#update) {
      registry.updates.delete(this.#update)
      this.#update = undefined
    }
    tailPoll.stop()
    const collection = this.#collection
    if (registry.isDestroyed || ssr) {
      collection?.releaseIfUnobserved()
    } else if (collection) {
      setTimeout(() => collection.releaseIfUnobserved(), unmountGraceMs)
    }
  }

  #readCollection(): ReturnType<Collection<Item>['read']> | undefined {
    const found = this.#context.findCollection()
    // While started, a collection stays although other code removed its head from the cache.
    if (found || !this.#update) {
      this.#collection = found
    }
    return this.#collection?.read()
  }

  /** The rows that are displayed; the same array until one of them changed. */
  #selectRows(all: readonly Item[] | undefined): readonly Item[] {
    const count = this.#getDisplayedCount()
    if (!this.#collection) {
      this.#rows = this.#rowsInput = []
    } else if (all && !isSameArray(this.#rowsInput, [all, count])) {
      this.#rowsInput = [all, count]
      const visible = all.length > count ? all.slice(0, count) : all
      if (!isSameArray(this.#rows, visible)) {
        this.#rows = visible
      }
    }
    return this.#rows
  }

  #getDisplayedCount(): number {
    return this.#collection?.displayed.get(this.#pageSize) ?? this.#pageSize
  }

  /** Also the other streams with the same page size display this number of rows. */
  #display(count: number): void {
    this.#collection?.displayed.set(this.#pageSize, count)
    for (const update of [...this.#context.registry.updates]) {
      update()
    }
  }

  async #refetch(): Promise<void> {
    const wasStarted = Boolean(this.#update)
    await this.#fetchHead()
    this.#readCollection()
    // Polls refetch the head only. A refetch covers all loaded pages, unless the head failed or the stream stopped meanwhile.
    if (!this.#collection?.isHeadFailing && (!wasStarted || this.#update)) {
      await this.#collection?.refetchTail({ isSearch: false, isBackground: false })
    }
  }

  #fetchHead(): Promise<void> {
    return this.#head.read().refetch()
  }

  readonly #fetchNextPage = async (): Promise<void> => {
    const { status, hasNextPage } = this.read()
    if (status === 'pending') {
      return this.#fetchHead()
    }
    if (!hasNextPage) {
      return
    }
    // Not the previous count: calls that fail, or join the same request, add no more rows.
    this.#display(this.#rows.length + this.#pageSize)
    const { rows = [], pageCount = 0 } = this.#readCollection() ?? {}
    if (rows.length < this.#getDisplayedCount() && pageCount < this.#maxPages) {
      await this.#collection?.fetchNextForUser()
    }
  }

  readonly #fetchAll = async (options: FetchAllOptions = {}): Promise<void> => {
    requireOptions(options)
    if (!this.#readCollection()) {
      await this.#fetchHead()
    }
    this.#readCollection()
    this.#display(Infinity)
    const maxPages = Math.min(options.maxPages ?? Infinity, this.#maxPages)
    await this.#collection?.fetchAll({ ...options, maxPages })
  }
}
