import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { FetchAllOptions } from './CollectionSnapshot.ts'
import type { PageNotes } from './PageNotes.ts'

/** What is known of a listing at a moment. */
export interface ListingState<Item> {
  readonly rows: readonly Item[]
  /** Pages that are here, the first included. */
  readonly pages: number
  /** Whether the service has more. */
  readonly hasMore: boolean
  /** Why the newest request for a page below the first failed. */
  readonly error: HeadwaterError | null
  /** When the service made the first page. */
  readonly response_time: string | undefined
  /** What snapshots show as it is; the same object until something about it changed. */
  readonly fields: Required<PageNotes> & { readonly isFetchingNextPage: boolean }
}

/** A listing whose first page is in the cache. */
export interface Listing<Item> {
  /** How many rows are handed out, by the size of a page. */
  readonly shown: Map<number, number>
  /** What is known now; undefined while the cache has no first page. */
  read(): ListingState<Item> | undefined
  /** Reads the next page, or joins whoever does. Never rejects. */
  readNext(background?: boolean): Promise<void>
  /** Reads on to the end. Rejects only with what `onProgress` throws. */
  readAll(options: FetchAllOptions): Promise<void>
  /** Reads again the pages below the first, as many as are here. Never rejects. */
  readAgain(): Promise<void>
  /** To be called after somebody left: what nobody waits for any more is aborted. */
  leave(): void
}

/** All listings of a client. */
export interface Listings {
  /** By the query of their first page: each lives for as long as the cache keeps that. */
  readonly byQuery: WeakMap<object, unknown>
  /** Who is to be called when pages below a first one change. */
  readonly watching: Set<() => void>
  /** Whether the client was destroyed. */
  isOver: boolean
}
