import type { FetchState, Snapshot } from './Snapshot.ts'

/** A snapshot without the tracked fields. */
export type WithoutFetchState<TSnapshot> = TSnapshot extends unknown
  ? Omit<TSnapshot, keyof FetchState | 'response_time'>
  : never

/** A snapshot of a source. */
export type SourceSnapshot<T> = WithoutFetchState<Snapshot<T>>

/** Provides the snapshots of a query, without `select` and `placeholderData`. */
export interface SnapshotSource<TSnapshot> {
  /** Returns the latest snapshot; the same reference until something changed. */
  readonly read: () => TSnapshot
  /** Returns the tracked fields of snapshots. */
  readonly readFetchState?: () => SourceFetchState
  /** Starts calling `update` after changes. Called for the first listener. */
  readonly start: (update: () => void) => void
  /** Called when the last listener left. */
  readonly stop: () => void
}

/** The tracked fields, of which `isFetching` is derived; of listings also `response_time`. */
export interface SourceFetchState extends Omit<FetchState, 'isFetching'> {
  readonly response_time?: string | undefined
}

interface Listener {
  readonly update: () => void
  readonly complete: (() => void) | undefined
}

/** A source that all streams and components of a query share: it runs from its first listener to its last. */
export class SharedSource<TSnapshot> {
  readonly #source: SnapshotSource<TSnapshot>
  readonly #isCompleted: () => boolean
  readonly #listeners = new Set<Listener>()
  /** Copy of the listeners for updates, until one is added or removed. Copying for every update costs more. */
  #updating: readonly Listener[] | undefined
  #latest: TSnapshot | undefined
  #fetchState: SourceFetchState | undefined
  /** Whether a listener has read the fetch state since the first one subscribed. */
  #isTracked = false

  /** @param isCompleted - Whether the client was destroyed. */
  constructor(source: SnapshotSource<TSnapshot>, isCompleted: () => boolean) {
    this.#source = source
    this.#isCompleted = isCompleted
    const { readFetchState } = source
    this.readFetchState = readFetchState && (() => this.#shareFetchState(readFetchState()))
  }

  get isCompleted(): boolean {
    return this.#isCompleted()
  }

  /** Returns the tracked fields; the same reference until one of them changed. Undefined if snapshots have none. */
  readonly readFetchState: (() => SourceFetchState) | undefined
  readonly read = (): TSnapshot => this.#source.read()

  /** From now on listeners are also called for changes of the tracked fields. */
  readonly track = (): void => {
    this.#isTracked = true
  }

  /**
   * Calls `update` after changes, and `complete` when the client is destroyed.
   *
   * @returns Removes the listener.
   */
  subscribe(update: () => void, complete?: () => void): () => void {
    if (this.isCompleted) {
      return () => {}
    }
    if (this.#listeners.size === 0) {
      this.#source.start(this.#update)
    }
    this.#update()
    const listener = { update, complete }
    this.#listeners.add(listener)
    this.#updating = undefined
    return () => {
      this.#updating = undefined
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) {
        this.#isTracked = false
        this.#source.stop()
      }
    }
  }

  complete(): void {
    for (const { complete } of [...this.#listeners]) {
      complete?.()
    }
  }

  #shareFetchState(next: SourceFetchState): SourceFetchState {
    const previous = this.#fetchState
    const isUnchanged =
      previous?.fetchStatus === next.fetchStatus &&
      previous.dataUpdatedAt === next.dataUpdatedAt &&
      previous.response_time === next.response_time
    return isUnchanged ? previous : (this.#fetchState = next)
  }

  readonly #update = (): void => {
    const snapshot = this.read()
    const before = this.#fetchState
    const hasFetched = this.#isTracked && this.readFetchState?.() !== before
    if (snapshot === this.#latest && !hasFetched) {
      return
    }
    this.#latest = snapshot
    for (const { update } of (this.#updating ??= [...this.#listeners])) {
      update()
      // The listener caused a newer snapshot, which all listeners have received.
      if (this.#latest !== snapshot) {
        return
      }
    }
  }
}
