import { Observable, type Subscriber } from 'rxjs'
import type { Snapshot } from './Snapshot.ts'
import type { SnapshotStream } from './SnapshotStream.ts'

/** Where a stream gets its snapshots from. */
export interface StreamSource<S, Shown = Snapshot<S>> {
  /** Reads the newest snapshot. */
  readonly read: () => Shown
  /** Begins to tell of changes; called when the first subscriber comes. */
  readonly start: (update: () => void) => void
  /** Ends it; called when the last subscriber left. */
  readonly stop: () => void
}

/** A source that may come to its end. */
export interface SnapshotSource<S, Shown = Snapshot<S>> extends StreamSource<S, Shown> {
  /** Whether nothing will change any more: the client was destroyed. */
  readonly isOver: () => boolean
}

/** A stream of snapshots over a source; shared by all its subscribers. */
export class OperationStream<S, Shown = Snapshot<S>>
  extends Observable<Shown>
  implements SnapshotStream<S, Shown>
{
  readonly #source: SnapshotSource<S, Shown>
  readonly #subscribers = new Set<Subscriber<Shown>>()
  /** Those who are told, until somebody comes or goes: a copy whenever something is told would cost more. */
  #told: readonly Subscriber<Shown>[] | undefined
  #newest: Shown | undefined

  constructor(source: SnapshotSource<S, Shown>) {
    super((subscriber) => this.#add(subscriber))
    this.#source = source
  }

  readonly getSnapshot = (): Shown => this.#source.read()

  /** Completes all subscribers of a source that is over. */
  complete(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.complete()
  }

  #add(subscriber: Subscriber<Shown>): (() => void) | undefined {
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
