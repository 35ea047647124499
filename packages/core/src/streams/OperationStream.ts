import { Observable, type Subscriber } from 'rxjs'
import type { Snapshot } from './Snapshot.ts'
import type { SnapshotStream } from './SnapshotStream.ts'

/** Where a stream gets its snapshots from. */
export interface SnapshotSource<S> {
  /** Reads the newest snapshot. */
  readonly read: () => Snapshot<S>
  /** Begins to tell of changes; called when the first subscriber comes. */
  readonly start: (update: () => void) => void
  /** Ends it; called when the last subscriber left. */
  readonly stop: () => void
  /** Whether nothing will change any more: the client was destroyed. */
  readonly isOver: () => boolean
}

/** A stream of snapshots over a source; shared by all its subscribers. */
export class OperationStream<S> extends Observable<Snapshot<S>> implements SnapshotStream<S> {
  readonly #source: SnapshotSource<S>
  readonly #subscribers = new Set<Subscriber<Snapshot<S>>>()
  /** Those who are told, until somebody comes or goes: a copy whenever something is told would cost more. */
  #told: readonly Subscriber<Snapshot<S>>[] | undefined
  #newest: Snapshot<S> | undefined

  constructor(source: SnapshotSource<S>) {
    super((subscriber) => this.#add(subscriber))
    this.#source = source
  }

  readonly getSnapshot = (): Snapshot<S> => this.#source.read()

  /** Completes all subscribers of a source that is over. */
  complete(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.complete()
  }

  #add(subscriber: Subscriber<Snapshot<S>>): (() => void) | undefined {
    if (this.#source.isOver()) {
      subscriber.next(this.getSnapshot())
      subscriber.complete()
      return undefined
    }
    if (this.#subscribers.size === 0) this.#source.start(this.#update)
    this.#update()
    this.#subscribers.add(subscriber)
    this.#told = undefined
    subscriber.next(this.getSnapshot())
    return () => {
      this.#told = undefined
      if (this.#subscribers.delete(subscriber) && this.#subscribers.size === 0) this.#source.stop()
    }
  }

  readonly #update = (): void => {
    const snapshot = this.getSnapshot()
    if (snapshot === this.#newest) return
    this.#newest = snapshot
    for (const subscriber of (this.#told ??= [...this.#subscribers])) {
      subscriber.next(snapshot)
      // What a subscriber did brought something newer, which everybody got meanwhile.
      if (this.#newest !== snapshot) return
    }
  }
}
