import type { CollectionSnapshot } from '../collections/CollectionSnapshot.ts'
import type { Pollable, PollState } from '../polling/Pollable.ts'
import type { Poller } from '../polling/Poller.ts'
import type { ResolvedWatchOptions } from '../queries/WatchOptions.ts'

type AnyCollection = CollectionSnapshot<unknown, unknown, unknown>

/** Loads the pages of a listing after the first. Added to the poller after a failure, which retries with its backoff. */
export class RemainingPages implements Pollable {
  readonly interval: number
  readonly #getSnapshot: () => AnyCollection
  readonly #isEnabled: boolean
  readonly #poller: Poller
  readonly #getCost: () => number
  #loading: AbortController | undefined
  #failure: { readonly error: Error; readonly at: number; readonly count: number } | undefined
  /** Data after the latest load, which may have ended before the last page. */
  #loadedData: unknown

  /**
   * @param getSnapshot - Returns the latest snapshot of the listing.
   * @param options - A disabled stream never loads pages.
   * @param getCost - Returns the estimated compute units of a page.
   */
  constructor(
    getSnapshot: () => AnyCollection,
    { enabled, refetchInterval }: ResolvedWatchOptions,
    poller: Poller,
    getCost: () => number,
  ) {
    this.interval = refetchInterval
    this.#isEnabled = enabled
    this.#getSnapshot = getSnapshot
    this.#poller = poller
    this.#getCost = getCost
  }

  get cost(): number {
    return this.#getCost()
  }

  get state(): PollState | undefined {
    if (this.#failure === undefined) {
      return undefined
    }
    const { error, at, count } = this.#failure
    return {
      status: 'error',
      error,
      dataUpdatedAt: 0,
      errorUpdatedAt: at,
      errorUpdateCount: count,
    }
  }

  /** Loads remaining pages after a change of the listing. */
  onSnapshot({ status, data, hasNextPage }: AnyCollection): void {
    const hasRemaining = this.#isEnabled && status === 'success' && hasNextPage
    if (hasRemaining && data !== this.#loadedData) {
      void this.poll()
    }
  }

  async poll(): Promise<void> {
    if (this.#loading) {
      return
    }
    const { signal } = (this.#loading = new AbortController())
    await this.#getSnapshot().fetchAll({ signal })
    if (signal.aborted) {
      return
    }
    this.#loading = undefined
    const { data, error, hasNextPage } = this.#getSnapshot()
    if (error && hasNextPage) {
      this.#onFailure(error)
    } else {
      this.#loadedData = data
      this.#clearFailure()
    }
  }

  stop(): void {
    this.#loading?.abort()
    this.#loading = this.#loadedData = undefined
    this.#clearFailure()
  }

  #onFailure(error: Error): void {
    const isFirst = this.#failure === undefined
    this.#failure = { error, at: Date.now(), count: (this.#failure?.count ?? 0) + 1 }
    if (isFirst) {
      this.#poller.add(this)
    } else {
      this.#poller.reschedule(this)
    }
  }

  #clearFailure(): void {
    if (this.#failure === undefined) {
      return
    }
    this.#failure = undefined
    this.#poller.remove(this)
  }
}
