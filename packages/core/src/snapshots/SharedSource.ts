/** Provides the snapshots of a query, without `select` and `placeholderData`. */
export interface SnapshotSource<TSnapshot> {
  /** Returns the latest snapshot; the same reference until something changed. */
  readonly read: () => TSnapshot
  /** Starts calling `update` after changes. Called for the first listener. */
  readonly start: (update: () => void) => void
  /** Called when the last listener left. */
  readonly stop: () => void
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

  /** @param isCompleted - Whether the client was destroyed. */
  constructor(source: SnapshotSource<TSnapshot>, isCompleted: () => boolean) {
    this.#source = source
    this.#isCompleted = isCompleted
  }

  get isCompleted(): boolean {
    return this.#isCompleted()
  }

  readonly read = (): TSnapshot => this.#source.read()

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
        this.#source.stop()
      }
    }
  }

  complete(): void {
    for (const { complete } of [...this.#listeners]) {
      complete?.()
    }
  }

  readonly #update = (): void => {
    const snapshot = this.read()
    if (snapshot === this.#latest) {
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
