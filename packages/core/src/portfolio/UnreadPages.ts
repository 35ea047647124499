import type { CollectionSnapshot } from '../collections/CollectionSnapshot.ts'
import type { Pollable, PolledState } from '../streams/Pollable.ts'
import type { Poller } from '../streams/Poller.ts'
import type { Watcher } from '../streams/Watcher.ts'

type Listing = CollectionSnapshot<unknown, unknown, unknown>

/** The pages of a listing below the first: reads all that are missing, and again, as polls do, after a failure. */
export class UnreadPages implements Pollable {
  readonly interval: number
  readonly #read: () => Listing
  readonly #enabled: boolean
  readonly #poller: Poller
  readonly #costOf: () => number
  #reading: AbortController | undefined
  #failure: { readonly error: Error; readonly at: number; readonly count: number } | undefined
  /** What was known when it was last read as far as it goes, which need not be to the end. */
  #ended: unknown

  /**
   * @param read - Reads the newest snapshot of the listing.
   * @param watcher - How it is watched: one that is not enabled never asks.
   * @param poller - That of the client.
   * @param costOf - Compute units of a page.
   */
  constructor(
    read: () => Listing,
    { enabled, refetchInterval }: Watcher,
    poller: Poller,
    costOf: () => number,
  ) {
    this.interval = refetchInterval
    this.#enabled = enabled
    this.#read = read
    this.#poller = poller
    this.#costOf = costOf
  }

  get cost(): number {
    return this.#costOf()
  }

  get state(): PolledState | undefined {
    if (this.#failure === undefined) return undefined
    const { error, at, count } = this.#failure
    return {
      status: 'error',
      error,
      dataUpdatedAt: 0,
      errorUpdatedAt: at,
      errorUpdateCount: count,
    }
  }

  /** To be called when the listing changed. */
  look({ status, data, hasNextPage }: Listing): void {
    const isToRead = this.#enabled && status === 'success' && hasNextPage
    if (isToRead && data !== this.#ended) void this.refetch()
  }

  async refetch(): Promise<void> {
    if (this.#reading) return
    const { signal } = (this.#reading = new AbortController())
    await this.#read().fetchAll({ signal })
    if (signal.aborted) return
    this.#reading = undefined
    const { data, error, hasNextPage } = this.#read()
    if (error && hasNextPage) this.#fail(error)
    else {
      this.#ended = data
      this.#recover()
    }
  }

  stop(): void {
    this.#reading?.abort()
    this.#reading = this.#ended = undefined
    this.#recover()
  }

  #fail(error: Error): void {
    const isFirst = this.#failure === undefined
    this.#failure = { error, at: Date.now(), count: (this.#failure?.count ?? 0) + 1 }
    if (isFirst) this.#poller.add(this)
    else this.#poller.update(this)
  }

  #recover(): void {
    if (this.#failure === undefined) return
    this.#failure = undefined
    this.#poller.remove(this)
  }
}
