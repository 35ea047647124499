import { replaceEqualDeep } from '@tanstack/query-core'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { toHeadwaterError } from '../errors/toHeadwaterError.ts'
import { addNotes, type Notes } from './addNotes.ts'
import type { FetchAllOptions } from './CollectionSnapshot.ts'
import type { Page, PageReader } from './createPageReader.ts'
import { Rows } from './Rows.ts'

/** What is known of a listing at a moment. */
export interface ListingState<Item> extends Notes {
  readonly rows: readonly Item[]
  /** Pages that are here, the first included. */
  readonly pages: number
  /** Whether the service has more. */
  readonly hasMore: boolean
  readonly isFetchingNextPage: boolean
  /** When the service made the first page. */
  readonly responseTime: string | undefined
  /** Why the newest request for a page below the first failed. */
  readonly error: HeadwaterError | null
}

/** What is asked of the service now, until all of it is aborted at once. */
interface Work {
  readonly abort: AbortController
  /** The next page. */
  next?: Promise<void> | undefined
  /** Pages that are here, once more. */
  again?: Promise<void> | undefined
}

/** What a listing needs to know. */
interface ListingSource<Item> {
  /** Asks for a page. */
  readonly read: PageReader<Item>
  /** Reads an answer as a page. */
  readonly toPage: (answer: object) => Page<Item>
  /** What tells one row from all others. */
  readonly identity: (item: Item) => string
}

/** How long requests outlive the last watcher, in milliseconds: a remount finds them. */
const moment = 100

/** How much the rows must grow to be shown while all pages are read. */
const worthShowing = 1.25

const noNotes: Notes = { warnings: [], errors: undefined }

/** A service that answers a dead cursor with its first page would list for ever. */
const looping: Notes = {
  warnings: [
    {
      code: 'LISTING_LOOPS',
      message: 'The service listed again what it had listed before: the listing ends here.',
    },
  ],
  errors: undefined,
}

/** A listing whose first page is in the cache: follows that page, and asks for those below it, one at a time. */
export class Listing<Item> {
  readonly #read: PageReader<Item>
  readonly #toPage: (answer: object) => Page<Item>
  readonly #rows: Rows<Item>
  readonly #watchers = new Set<() => void>()
  #state: ListingState<Item> | undefined
  #answer: object | undefined
  /** The answer as a page: the first. */
  #head: Page<Item> | undefined
  #pages = 1
  #cursor: string | undefined
  /** The cursors that the pages below the first were asked by. */
  #asked = new Set<string>()
  /** What the pages below the first told beside their rows. */
  #notes = noNotes
  #error: HeadwaterError | null = null
  #work: Work = { abort: new AbortController() }
  #farewell: ReturnType<typeof setTimeout> | undefined
  /** The first page below which it was last looked for rows that had left it. */
  #searched: Page<Item> | undefined
  /** How many pages are to be read again. */
  #depth = 0
  /** How many read all pages. */
  #readers = 0
  /** How many rows the watchers know of. */
  #told = 0

  constructor({ read, toPage, identity }: ListingSource<Item>) {
    this.#read = read
    this.#toPage = toPage
    this.#rows = new Rows(identity)
  }

  /** Calls back from now on when something changed without the first page. */
  add(watcher: () => void): void {
    clearTimeout(this.#farewell)
    this.#watchers.add(watcher)
    this.#search()
  }

  /** Calls back no longer. What nobody waits for is aborted a moment later. */
  remove(watcher: () => void): void {
    this.#watchers.delete(watcher)
    if (this.#isBusy && this.#watchers.size === 0) this.#farewell = setTimeout(this.#stop, moment)
  }

  /** What is known, given the newest first page that the cache has. */
  follow(answer: object | undefined): ListingState<Item> | undefined {
    if (answer === this.#answer) return this.#state
    this.#answer = answer
    this.#head = answer && this.#toPage(answer)
    const { items = [], cursor } = this.#head ?? {}
    if (cursor === undefined) {
      this.#stop()
      this.#error = null
    }
    // A page that is under way continues the first page of before, so rows may be neither here nor there.
    const isAlone = cursor === undefined || (this.#pages === 1 && !this.#work.next)
    this.#rows.setHead(items, isAlone)
    if (isAlone) this.#restart(1, cursor, new Set(), noNotes)
    this.#show()
    this.#search()
    return this.#state
  }

  /** Reads the next page, or joins whoever does. Never rejects. */
  readNext(background = false): Promise<void> {
    if (this.#cursor === undefined) return Promise.resolve()
    const reading = this.#do('next', async (ask) => {
      const cursor = this.#cursor
      if (cursor === undefined) return
      const page = await ask(cursor, background)
      const hadNew = this.#rows.append(page.items)
      this.#asked.add(cursor)
      const notes = addNotes(this.#notes, page)
      this.#restart(this.#pages + 1, page.cursor, this.#asked, notes, !hadNew)
    })
    this.#tell()
    return reading
  }

  /** Reads on to the end. Rejects only with what `onProgress` throws. */
  async readAll({ onProgress, maxPages = Infinity, signal }: FetchAllOptions): Promise<void> {
    const work = this.#work
    const isLeft = () => signal?.aborted === true
    let leave = () => {}
    const left = new Promise<void>((resolve) => (leave = resolve))
    signal?.addEventListener('abort', leave)
    this.#readers++
    this.#told = 0
    try {
      while (this.#cursor !== undefined && this.#pages < maxPages && !isLeft()) {
        await Promise.race([this.readNext(true), left])
        if (this.#error !== null || this.#work !== work || isLeft()) break
        onProgress?.({ pages: this.#pages, rows: this.#rows.size })
      }
    } finally {
      signal?.removeEventListener('abort', leave)
      this.#readers--
      this.#tell()
    }
  }

  /**
   * Reads again what is right below the first page: the first `depth` pages, as far as they are here. Rows that left the
   * first page and are not there are gone. Never rejects.
   */
  readAgain(depth = this.#pages): Promise<void> {
    this.#depth = Math.max(this.#depth, depth)
    return this.#do('again', async (ask) => {
      const head = (this.#searched = this.#head)
      const items: Item[] = []
      const asked = new Set<string>()
      let notes = noNotes
      let pages = 1
      let cursor = head?.cursor
      while (
        cursor !== undefined &&
        !asked.has(cursor) &&
        pages < this.#pages &&
        pages < this.#depth
      ) {
        asked.add(cursor)
        const page = await ask(cursor, true)
        for (const item of page.items) items.push(item)
        notes = addNotes(notes, page)
        pages++
        cursor = page.cursor
      }
      const isAll = cursor === undefined || pages >= this.#pages
      this.#rows.setBelow(items, isAll, head === this.#head)
      if (isAll) this.#restart(pages, cursor, asked, notes)
    })
  }

  /** Looks for rows that left the first page, once for each first page. */
  #search(): void {
    if (this.#rows.hasLeft && this.#watchers.size > 0 && this.#searched !== this.#head) {
      void this.readAgain(2)
    }
  }

  /** Where the listing goes on from now on. It ends at a cursor that was asked before. */
  #restart(
    pages: number,
    cursor: string | undefined,
    asked: Set<string>,
    notes: Notes,
    isStale = false,
  ): void {
    const loops = cursor !== undefined && (isStale || asked.has(cursor))
    this.#pages = pages
    this.#cursor = loops ? undefined : cursor
    this.#asked = asked
    this.#notes = loops ? addNotes(notes, looping) : notes
  }

  /** Asks for pages, after what is under way, or joins whoever does the same. */
  #do(
    kind: 'next' | 'again',
    job: (ask: (cursor: string, background: boolean) => Promise<Page<Item>>) => Promise<void>,
  ): Promise<void> {
    const work = this.#work
    const before = kind === 'next' ? work.again : work.next
    const { signal } = work.abort
    const ask = async (cursor: string, background: boolean) => {
      const page = await this.#read(cursor, { signal, background })
      signal.throwIfAborted()
      return page
    }
    const run = async () => {
      await before
      try {
        signal.throwIfAborted()
        this.#error = null
        await job(ask)
      } catch (error) {
        if (!signal.aborted) this.#error = toHeadwaterError(error)
      }
      if (work !== this.#work) return
      work[kind] = undefined
      if (kind === 'again') this.#depth = 0
      this.#tell()
      this.#search()
    }
    return (work[kind] ??= run())
  }

  get #isBusy(): boolean {
    return (this.#work.next ?? this.#work.again) !== undefined
  }

  /** Aborts what is under way. */
  readonly #stop = (): void => {
    clearTimeout(this.#farewell)
    if (!this.#isBusy) return
    this.#work.abort.abort()
    this.#work = { abort: new AbortController() }
    this.#show()
  }

  /** Tells the watchers, unless they know nearly all while more comes. */
  #tell(): void {
    const isMore = this.#readers > 0 && this.#cursor !== undefined
    if (isMore && this.#rows.size < this.#told * worthShowing) return
    this.#show()
    for (const watcher of [...this.#watchers]) watcher()
  }

  #show(): void {
    this.#told = this.#rows.size
    this.#state = this.#head && {
      rows: this.#rows.all,
      pages: this.#pages,
      hasMore: this.#cursor !== undefined,
      isFetchingNextPage: this.#readers > 0 || this.#work.next !== undefined,
      responseTime: this.#head.responseTime,
      error: this.#error,
      ...replaceEqualDeep(
        { warnings: this.#state?.warnings, errors: this.#state?.errors },
        addNotes(this.#head, this.#notes),
      ),
    }
  }
}
