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
  readonly readFetchState: () => SourceFetchState
  /** Starts calling `update` of the target after changes. Called for the first listener. */
  readonly start: (target: SourceTarget) => void
  /** Called when the last listener left. */
  readonly stop: () => void
}

/** What a source notifies of changes. */
export interface SourceTarget {
  readonly update: () => void
  /** Whether to call `update` for changes of the tracked fields too. */
  readonly isTracked: () => boolean
  /** The subscribers and components. */
  readonly listeners: ReadonlySet<unknown>
}

/** The tracked fields, of which `isFetching` is derived; of listings also `response_time`. */
export interface SourceFetchState extends Omit<FetchState, 'isFetching'> {
  readonly response_time?: string | undefined
}

/** Receives the changes of a source. */
export interface SourceListener {
  /** Called after changes. */
  update(snapshot: unknown): void
  /** Called when the client is destroyed. */
  complete?(): void
}

/** A source that all streams and components of a query share: it runs from its first listener to its last. */
export class SharedSource<TSnapshot> {
  readonly #source: SnapshotSource<TSnapshot>
  readonly #isCompleted: () => boolean
  readonly #listeners = new Set<SourceListener>()
  /** Copy of the listeners for updates, until one is added or removed. Copying for every update costs more. */
  #updating: readonly SourceListener[] | undefined
  /** What the listeners were notified of. */
  #latest: TSnapshot | undefined
  #latestFetchState: SourceFetchState | undefined
  /** The latest tracked fields that were read. */
  #fetchState: SourceFetchState | undefined
  /** Whether a listener has read the fetch state since the first one subscribed. */
  #isTracked = false

  /** @param isCompleted - Whether the client was destroyed. */
  constructor(source: SnapshotSource<TSnapshot>, isCompleted: () => boolean) {
    this.#source = source
    this.#isCompleted = isCompleted
  }

  get isCompleted(): boolean {
    return this.#isCompleted()
  }

  readonly read = (): TSnapshot => this.#source.read()

  /** Returns the tracked fields; the same reference until one of them changed. */
  readonly readFetchState = (): SourceFetchState => {
    const previous = this.#fetchState
    const next = this.#source.readFetchState()
    const isUnchanged =
      previous?.fetchStatus === next.fetchStatus &&
      previous.dataUpdatedAt === next.dataUpdatedAt &&
      previous.response_time === next.response_time
    return isUnchanged ? previous : (this.#fetchState = next)
  }

  /** From now on listeners are also called for changes of the tracked fields. */
  readonly track = (): void => {
    this.#isTracked = true
  }

  /** Calls `update` after changes. Returns a function that unsubscribes. */
  readonly subscribe = (update: () => void): (() => void) => this.add({ update })

  /** Adds a listener. Returns a function that removes it. */
  add(listener: SourceListener): () => void {
    if (this.isCompleted) {
      return () => {}
    }
    if (this.#listeners.size === 0) {
      this.#source.start({
        update: this.update,
        isTracked: () => this.#isTracked,
        listeners: this.#listeners,
      })
    }
    this.update()
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

  /** Notifies the listeners of changes. */
  readonly update = (): void => {
    const snapshot = this.read()
    const fetchState = this.#isTracked ? this.readFetchState() : undefined
    if (snapshot === this.#latest && fetchState === this.#latestFetchState) {
      return
    }
    this.#latest = snapshot
    this.#latestFetchState = fetchState
    for (const listener of (this.#updating ??= [...this.#listeners])) {
      listener.update(snapshot)
      // The listener caused a newer snapshot, which all listeners have received.
      if (this.#latest !== snapshot) {
        return
      }
    }
  }

  complete(): void {
    for (const listener of [...this.#listeners]) {
      listener.complete?.()
    }
  }
}
