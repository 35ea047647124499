import type { Warning } from '@headwater/contract'
import type { WatchOptions } from '../queries/WatchOptions.ts'
import type { Snapshot, SnapshotStream } from '../snapshots/Snapshot.ts'

/**
 * Options of the stream of a listing. `Item` is a row, `Data` the result of `select` for all displayed rows.
 *
 * @example
 * import type { CollectionOptions, Holder } from '@headwater/core'
 * const options: CollectionOptions<Holder> = { pageSize: 50, maxPages: 4, refetchInterval: 60_000 }
 */
export interface CollectionOptions<Item, Data = readonly Item[]> extends WatchOptions<
  readonly Item[],
  Data
> {
  /**
   * Number of rows to display at first, and to add with each `fetchNextPage`; at least 1, and effectively at most the rows of one
   * request. Requests still use the largest page, as every page costs the same. Default: whole pages of the service.
   */
  readonly pageSize?: number | undefined
  /** Maximum number of pages to load, including the first. Default: unlimited. */
  readonly maxPages?: number | undefined
  /**
   * Milliseconds between refetches of the loaded pages after the first; `false` for none. Each costs as much as a poll.
   * Default: five minutes, or three times `refetchInterval` for every loaded page if that is longer, so that these requests
   * cost at most a third of the polls; none without polling.
   */
  readonly tailRefetchInterval?: number | false | undefined
}

/**
 * Parameters of a listing without the pagination parameters.
 *
 * @example
 * import type { BalancesParameters, ListParameters } from '@headwater/core'
 * const wallet: ListParameters<BalancesParameters> = {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 * }
 */
export type ListParameters<Parameters> = Omit<Parameters, 'limit' | 'offset'>

/** Fields of a collection snapshot beside its rows. */
interface CollectionFields<Errors> {
  /** Whether there are more rows: loaded rows that are not displayed yet, or further pages. */
  readonly hasNextPage: boolean
  /** Whether the next page is being fetched by `fetchNextPage` or `fetchAll`. Polls do not set it. */
  readonly isFetchingNextPage: boolean
  /**
   * Displays more rows: loaded ones, else those of the next page, which is fetched once for all callers. Does nothing if
   * there are no more rows. Keeps its identity for the life of the stream.
   *
   * @returns Resolves when the rows, or an error, are in the snapshot. Never rejects.
   */
  readonly fetchNextPage: () => Promise<void>
  /**
   * Loads and displays all rows. Meanwhile, rows are displayed whenever their number grew by a quarter, so that rendering
   * stays proportional; `onProgress` is called for every page. Keeps its identity for the life of the stream.
   *
   * @param options - Progress, limit and signal.
   * @returns Resolves at the end of the listing, at `maxPages`, when `signal` aborts, or with an error in the snapshot.
   *   Rejects only with an error of `onProgress`.
   */
  readonly fetchAll: (options?: FetchAllOptions) => Promise<void>
  /**
   * Parts of the request that had no effect, chains that are missing, outdated (`STALE_CHAIN`) or still searched
   * (`PARTIAL_HISTORY`, with `share` and `known_since_block`), invalid parts of responses, why the listing ends early
   * (`LISTING_LOOPS` if the service repeats pages, `MAX_PAGES` if `maxPages` cut it off), and why rows may be outdated:
   * `ROWS_MOVED` while rows that left the first page are searched, `OUTDATED_PAGES` while the other pages cannot be refetched in
   * time.
   */
  readonly warnings: readonly Warning[]
  /** What the service could not read, of all pages. */
  readonly errors: Errors | undefined
  /**
   * When the service generated the first page; undefined if it does not report it. A later response that is equal otherwise
   * does not change it: for the time of the latest response, use `dataUpdatedAt`. Tracked; see {@link FetchState}.
   */
  readonly response_time: string | undefined
}

/**
 * Options of `fetchAll`.
 *
 * @example
 * import type { FetchAllOptions } from '@headwater/core'
 * const options: FetchAllOptions = { maxPages: 10, signal: AbortSignal.timeout(60_000) }
 */
export interface FetchAllOptions {
  /** Called after every page. */
  readonly onProgress?: ((progress: FetchAllProgress) => void) | undefined
  /** Maximum number of pages to have loaded, including the first. Default: that of the stream. */
  readonly maxPages?: number | undefined
  /** Stops loading; loaded rows stay. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Progress of `fetchAll`.
 *
 * @example
 * import type { FetchAllProgress } from '@headwater/core'
 * const onProgress = ({ pages, rows }: FetchAllProgress) => console.log(`${rows} rows of ${pages} pages`)
 */
export interface FetchAllProgress {
  /** Loaded pages, including the first. */
  readonly pages: number
  /** Loaded rows. */
  readonly rows: number
}

/**
 * A snapshot of a listing: `data` contains the rows of all pages in one flat list without duplicates, or the result of
 * `select`. A row keeps its identity while nothing about it changed, and `data` while no row changed.
 *
 * Polls refetch the first page. Rows that left it are searched on the other loaded pages, at most once a minute and on
 * ten pages at most, and removed if they are not there; until then they stay. All loaded pages are refetched every
 * `tailRefetchInterval`, and by `refetch` and `invalidateQueries`. These requests run in the background: they wait for
 * the budget, and if one fails, it is repeated later, without an error in the snapshot. Until then, `warnings` contains
 * `ROWS_MOVED` or `OUTDATED_PAGES`. An error of a page that `fetchNextPage`, `fetchAll`, `refetch` or an invalidation requested
 * stays until one of them succeeds. After `refetch` and an invalidation, the pages are also requested again in the background,
 * with a growing delay.
 *
 * `isFetching` covers the requests of all pages, also those in the background while they wait for the budget. Between the first
 * page and the refetch of the others it is briefly false.
 *
 * @example
 * import type { CollectionSnapshot, Holder } from '@headwater/core'
 * const isComplete = ({ hasNextPage, warnings }: CollectionSnapshot<Holder>) =>
 *   !hasNextPage && warnings.length === 0
 */
export type CollectionSnapshot<Item, Data = readonly Item[], Errors = never> = Snapshot<Data> &
  CollectionFields<Errors>

/**
 * A stream of snapshots of a listing.
 *
 * @example
 * import { filter, firstValueFrom } from 'rxjs'
 * import type { Collectible, CollectionStream } from '@headwater/core'
 * const loaded = (stream: CollectionStream<Collectible>) =>
 *   firstValueFrom(stream.pipe(filter(({ status }) => status !== 'pending')))
 */
export type CollectionStream<Item, Data = readonly Item[], Errors = never> = SnapshotStream<
  Data,
  CollectionSnapshot<Item, Data, Errors>
>
