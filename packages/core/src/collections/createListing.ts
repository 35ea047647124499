import { replaceEqualDeep, type Query } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { toHeadwaterError } from '../errors/toHeadwaterError.ts'
import type { ListOperation } from '../operation/ClientOperation.ts'
import { askPage, mostEmptyPages } from './askPage.ts'
import { createRows } from './createRows.ts'
import type { Listing, Listings, ListingState } from './Listing.ts'
import { addNotes, loops, type PageNotes } from './PageNotes.ts'

/** What every page may tell beside its rows. */
interface Page extends PageNotes {
  readonly next_offset?: string | null
  readonly response_time?: string
}

/** How much the rows must grow to be shown while all pages are read. */
const worthShowing = 1.25

/** How often it is looked for rows that left the first page, at most, in milliseconds: each time costs a page. */
const minute = 60_000

/** How long it waits to see whether a poll went well, in milliseconds. */
const pause = 10_000

/**
 * Follows the first page of a listing in the cache, and asks for those below it, one at a time.
 *
 * @param parameters - Those of the first page.
 * @param query - The first page in the cache.
 * @param listings - Those of the client.
 */
export function createListing<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: ListOperation<Parameters, Response, Item>,
  parameters: Parameters,
  query: Query,
  listings: Listings,
): Listing<Item> {
  const { items: field, identity } = operation.declaration.list
  const rows = createRows(identity)
  let state: ListingState<Item> | undefined
  /** The newest first page that the cache has. */
  let first: Page | undefined
  let pages = 1
  let cursor: string | null | undefined
  /** The cursors that the pages below the first were asked by. */
  let asked = new Set<string>()
  /** What the pages below the first told beside their rows. */
  let notes: PageNotes = {}
  /** How many pages in a row brought nothing. */
  let vain = 0
  let error: HeadwaterError | null = null
  let next: Promise<void> | undefined
  let again: Promise<void> | undefined
  /** What is asked next waits for this. */
  let queue = Promise.resolve()
  /** Aborts what is under way. */
  let work = new AbortController()
  /** How new the first page was when rows that had left it were last looked for, and how much newer it is to be next time. */
  let searchedAt = -Infinity
  let searchEvery = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  /** How many pages are to be read again. */
  let wanted = 0
  /** How many read all pages. */
  let readers = 0
  /** How many rows were shown last. */
  let shownCount = 0

  const itemsOf = (page: Page) => page[field as never] as readonly Item[]
  const isWatched = () => query.getObserversCount() > 0

  /**
   * Where the listing goes on from now on. It ends where it comes to where it was, and after pages in vain.
   *
   * @param inVain - How many pages in a row brought nothing; a page of rows that are all here is as bad as any number.
   */
  const goOn = (
    toPage: number,
    to: string | null | undefined,
    from = new Set<string>(),
    heard: PageNotes = {},
    inVain = 0,
  ) => {
    const isLooping = to && (inVain > mostEmptyPages || from.has(to))
    pages = toPage
    cursor = isLooping ? null : to
    asked = from
    notes = isLooping ? addNotes(heard, loops) : heard
    vain = inVain
  }

  const ask = (offset: string, background = false) => {
    if (listings.isOver) work.abort()
    const given = { ...parameters, offset }
    return askPage(client, operation, given, work.signal, background) as Promise<Page>
  }

  const abort = () => {
    if (!(next ?? again)) return
    work.abort()
    work = new AbortController()
  }

  /** Does it after what is under way. What became of it shows, unless nobody asked for it. */
  const enqueue = (job: () => Promise<void>, isAsked = () => true) => {
    const { signal } = work
    return (queue = queue.then(async () => {
      if (signal.aborted) return
      let failure: HeadwaterError | null = null
      try {
        await job()
      } catch (caught) {
        if (!signal.aborted) failure = toHeadwaterError(caught)
      }
      if (isAsked()) error = failure
    }))
  }

  const show = () => {
    shownCount = rows.count()
    state = first && {
      rows: rows.read(),
      pages,
      hasMore: Boolean(cursor),
      error,
      response_time: first.response_time,
      fields: replaceEqualDeep(state?.fields, {
        isFetchingNextPage: readers > 0 || next !== undefined,
        ...addNotes(first, notes),
      }),
    }
  }

  /** Tells of a change, unless nearly all is shown while more comes. */
  const tell = () => {
    if (readers > 0 && cursor && rows.count() < shownCount * worthShowing) return
    show()
    for (const update of [...listings.watching]) update()
  }

  const readNext = (background?: boolean): Promise<void> => {
    if (!cursor) return queue
    next ??= enqueue(async () => {
      if (!cursor) return
      const page = await ask(cursor, background)
      const items = itemsOf(page)
      const inVain = rows.append(items) ? 0 : items.length > 0 ? Infinity : vain + 1
      goOn(pages + 1, page.next_offset, asked.add(cursor), addNotes(notes, page), inVain)
    }).then(() => {
      next = undefined
      tell()
    })
    tell()
    return next
  }

  const readAgain = (depth = Infinity): Promise<void> => {
    wanted = Math.max(wanted, depth)
    return (again ??= enqueue(
      async () => {
        const above = first
        searchedAt = query.state.dataUpdatedAt
        searchEvery = 1
        const items: Item[] = []
        const from = new Set<string>()
        let heard: PageNotes = {}
        let count = 1
        let to = above?.next_offset
        while (to && !from.has(to) && count < Math.min(pages, wanted)) {
          const page = await ask(to, true)
          from.add(to)
          for (const item of itemsOf(page)) items.push(item)
          heard = addNotes(heard, page)
          to = page.next_offset
          count++
        }
        const isAll = !to || count >= pages
        rows.setBelow(items, isAll, above === first)
        if (above === first) searchEvery = minute
        if (isAll) goOn(count, to, from, heard)
      },
      () => wanted === Infinity,
    ).then(() => {
      again = undefined
      wanted = 0
      tell()
    }))
  }

  /** Looks on the page below for rows that left the first one: when a poll went well, and not too often. */
  const search = () => {
    if (!rows.hasLeft() || again || timer || !isWatched()) return
    if (Math.abs(query.state.dataUpdatedAt - searchedAt) >= searchEvery) void readAgain(2)
    else {
      timer = setTimeout(() => {
        timer = undefined
        search()
      }, pause)
    }
  }

  return {
    shown: new Map(),
    readNext,
    readAgain,

    read() {
      const newest = query.state.data as Page | undefined
      if (newest !== first) {
        first = newest
        const to = first?.next_offset
        if (!to) {
          error = null
          abort()
        }
        // A page that is under way continues the first page of before, so rows may be neither here nor there.
        const isAlone = !to || (pages === 1 && !next)
        rows.setFirst(first ? itemsOf(first) : [], isAlone)
        if (isAlone) goOn(1, to)
        show()
      }
      search()
      return state
    },

    async readAll({ onProgress, maxPages = Infinity, signal }) {
      readers++
      shownCount = 0
      try {
        while (cursor && pages < maxPages && !signal?.aborted) {
          const before = pages
          await readNext(true)
          if (pages === before) return
          onProgress?.({ pages, rows: rows.count() })
        }
      } finally {
        readers--
        tell()
      }
    },

    leave() {
      if (isWatched()) return
      abort()
      clearTimeout(timer)
      timer = undefined
    },
  }
}
