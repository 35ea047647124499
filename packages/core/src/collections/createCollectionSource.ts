import type { BalancesErrors } from '@headwater/contract'
import { createSnapshotReader } from '../streams/createSnapshotReader.ts'
import type { SnapshotSource } from '../streams/OperationStream.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { CollectionOptions } from './CollectionOptions.ts'
import type { CollectionSnapshot, FetchAllOptions } from './CollectionSnapshot.ts'
import type { Listing } from './Listing.ts'
import { isSame } from './createRows.ts'

/** How long pages under way outlive the last watcher, in milliseconds: a little longer than the first page. */
const moment = 150

const noFields = { isFetchingNextPage: false, warnings: [], errors: undefined }

const cut = { code: 'MAX_PAGES', message: 'The service lists more pages than `maxPages`.' }

/**
 * Makes what a stream of a listing reads from: the stream of its first page, and the pages below.
 *
 * @param first - The stream of the first page.
 * @param watching - Who is to be called when the pages below change.
 * @param find - Finds the listing while the cache has its first page.
 * @param isOver - Whether nobody will come back: the client was destroyed, or is a server's.
 */
export function createCollectionSource<Item, S>(
  first: SnapshotStream<object>,
  watching: Set<() => void>,
  find: () => Listing<Item> | undefined,
  isOver: () => boolean,
  options: CollectionOptions<Item, S>,
): Omit<SnapshotSource<S>, 'isOver'> {
  const { pageSize = Infinity, maxPages = Infinity } = options
  let listing: Listing<Item> | undefined
  /** The rows that are handed out, and all of which they are some. */
  let rows: readonly Item[] = []
  let seen: readonly unknown[] = []
  let snapshot: CollectionSnapshot<Item, S, BalancesErrors> | undefined
  /** What the snapshot was made of. */
  let parts: readonly unknown[] = []
  let update = () => {}
  let leave = () => {}

  const ask = () => first.getSnapshot().refetch()
  const isStarted = () => watching.has(update)
  const readListing = () => {
    const found = find()
    if (found || !isStarted()) listing = found
    return listing?.read()
  }
  const shown = () => listing?.shown.get(pageSize) ?? pageSize
  const show = (count: number) => {
    listing?.shown.set(pageSize, count)
    update()
  }

  const readRows = createSnapshotReader(options, async () => {
    const wasStarted = isStarted()
    await ask()
    readListing()
    // Polls refresh the first page alone; who asks for a refresh, and is still here, gets one of all that is here.
    if (!wasStarted || isStarted()) await listing?.readAgain()
  })

  const read = () => {
    const { status, error: firstError } = first.getSnapshot()
    const state = readListing()
    const { rows: all, pages = 0, hasMore = false, fields = noFields } = state ?? {}
    if (all && !isSame(seen, (seen = [all, shown()]))) {
      const taken = all.length > shown() ? all.slice(0, shown()) : all
      if (!isSame(rows, taken)) rows = taken
    }
    if (!listing) rows = seen = []
    const error = firstError ?? state?.error ?? null
    const base = readRows({ status: error ? 'error' : status, data: all && rows, error })
    const isCut = hasMore && pages >= maxPages
    const hasNextPage = (hasMore && !isCut) || (all ?? []).length > rows.length
    // A new time alone is no news.
    const now = [base, fields, isCut, hasNextPage]
    if (!snapshot || !isSame(parts, now)) {
      parts = now
      snapshot = {
        ...base,
        ...fields,
        warnings: isCut ? [...fields.warnings, cut] : fields.warnings,
        response_time: state?.response_time,
        hasNextPage,
        fetchNextPage,
        fetchAll,
      }
    }
    return snapshot
  }

  const fetchNextPage = async () => {
    const { status, hasNextPage } = read()
    if (status === 'pending') return ask()
    if (!hasNextPage) return
    show(shown() + pageSize)
    const { rows = [], pages = 0 } = readListing() ?? {}
    if (rows.length < shown() && pages < maxPages) await listing?.readNext()
  }

  const fetchAll = async (given: FetchAllOptions = {}) => {
    if (!readListing()) await ask()
    readListing()
    show(Infinity)
    await listing?.readAll({ ...given, maxPages: Math.min(given.maxPages ?? Infinity, maxPages) })
  }

  return {
    read,
    start(given) {
      update = given
      watching.add(update)
      const subscription = first.subscribe(update)
      leave = () => subscription.unsubscribe()
    },
    stop() {
      leave()
      watching.delete(update)
      update = () => {}
      if (isOver()) listing?.leave()
      else if (listing) setTimeout(listing.leave, moment)
    },
  }
}
