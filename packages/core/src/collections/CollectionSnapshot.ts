import type { Warning } from '@headwater/contract'
import type { Snapshot } from '../streams/Snapshot.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'

/** How a listing stands, beside its rows. */
interface CollectionFields<Errors> {
  /** Whether there is more: rows that are here and not handed out yet, or pages that the service still has. */
  readonly hasNextPage: boolean
  /** Whether the next page is under way because somebody asked for it. Polls do not show here. */
  readonly isFetchingNextPage: boolean
  /**
   * Hands out more rows: those that are already here, else asks for the next page, once for all who want it. Does nothing
   * when there is no more. Keeps its identity for the life of the stream.
   *
   * @returns Resolves when the rows, or an error, are in the snapshot. Never rejects.
   */
  readonly fetchNextPage: () => Promise<void>
  /**
   * Reads all pages to the end and hands out all rows. While it runs rows are handed out whenever they grew by a quarter,
   * so that what it costs to show them stays in proportion; `onProgress` tells of every page. Keeps its identity for the
   * life of the stream.
   *
   * @param options - How far, and whom to tell.
   * @returns Resolves at the end, at `maxPages`, when `signal` aborts, or with an error in the snapshot. Rejects only
   *   with what `onProgress` throws.
   */
  readonly fetchAll: (options?: FetchAllOptions) => Promise<void>
  /**
   * What of the request had no effect, what of the answers could not be read, and why the listing ends early if it does:
   * `LISTING_LOOPS` when the service went round in circles, `MAX_PAGES` when `maxPages` left something out.
   */
  readonly warnings: readonly Warning[]
  /** What the service could not read, beside what it could, of all pages together. */
  readonly errors: Errors | undefined
  /** When the service made the first page that changed this snapshot last; undefined where it does not tell. */
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
  readonly onProgress?: (progress: FetchAllProgress) => void
  /** Most pages of the listing to have in the end, the first included. Default: that of the stream. */
  readonly maxPages?: number
  /** Ends it; the rows that are here stay. */
  readonly signal?: AbortSignal
}

/**
 * How far `fetchAll` is.
 *
 * @example
 * import type { FetchAllProgress } from '@headwater/core'
 * const onProgress = ({ pages, rows }: FetchAllProgress) => console.log(`${rows} rows of ${pages} pages`)
 */
export interface FetchAllProgress {
  /** Pages that are here, the first included. */
  readonly pages: number
  /** Rows that are here. */
  readonly rows: number
}

/**
 * A snapshot of a listing: `data` holds the rows of all its pages in one flat list without duplicates, or what `select`
 * made of them. A row is the same object for as long as nothing about it changed, and `data` is the same list for as
 * long as no row did.
 *
 * The first page is what is polled. Rows that leave it are looked for on the page below, which is read once more, and
 * are gone if they are not there. That costs a page, so it is done at most once a minute, and until then they stay in the
 * list; should it fail, it is done after a later poll, and is no error here. Rows further below are as they were when their page was read; `refetch` reads all pages
 * again that are here.
 *
 * @example
 * import type { CollectionSnapshot, Holder } from '@headwater/core'
 * const isWhole = ({ hasNextPage, warnings }: CollectionSnapshot<Holder>) =>
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
