import { Observable, type Subscriber } from 'rxjs'
import type { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { WatchOptions } from '../queries/WatchOptions.ts'
import { createSnapshotSelector } from './createSnapshotSelector.ts'
import type { Snapshot, SnapshotStream } from './Snapshot.ts'

/** Provides the snapshots of a stream. */
export interface SnapshotSource<S, TSnapshot = Snapshot<S>> {
  /** Returns the latest snapshot; the same reference until something changed. */
  readonly read: () => TSnapshot
  /** Starts calling `update` after changes. Called for the first subscriber. */
  readonly start: (update: () => void) => void
  /** Called when the last subscriber left. */
  readonly stop: () => void
}

/** An observable of the snapshots of a source, shared by all its subscribers. */
export class SnapshotObservable<S, TSnapshot = Snapshot<S>>
  extends Observable<TSnapshot>
  implements SnapshotStream<S, TSnapshot>
{
  readonly isEnabled: boolean
  readonly #source: SnapshotSource<S, TSnapshot>
  readonly #isCompleted: () => boolean
  readonly #subscribers = new Set<Subscriber<TSnapshot>>()
  /** Copy of the subscribers for emissions, until one is added or removed. Copying for every emission costs more. */
  #emitTo: readonly Subscriber<TSnapshot>[] | undefined
  #latest: TSnapshot | undefined

  /** @param isCompleted - Whether new subscribers receive one snapshot and complete: the client was destroyed. */
  constructor(source: SnapshotSource<S, TSnapshot>, isCompleted: () => boolean, isEnabled = true) {
    super((subscriber) => this.#add(subscriber))
    this.isEnabled = isEnabled
    this.#source = source
    this.#isCompleted = isCompleted
  }

  /** Keeps Vue from wrapping the stream in a proxy, which has no access to private members. */
  get [Symbol.toStringTag](): string {
    return 'SnapshotStream'
  }

  readonly getSnapshot = (): TSnapshot => this.#source.read()

  complete(): void {
    for (const subscriber of [...this.#subscribers]) {
      subscriber.complete()
    }
  }

  #add(subscriber: Subscriber<TSnapshot>): (() => void) | undefined {
    if (this.#isCompleted()) {
      subscriber.next(this.getSnapshot())
      subscriber.complete()
      return undefined
    }
    if (this.#subscribers.size === 0) {
      this.#source.start(this.#update)
    }
    this.#update()
    this.#subscribers.add(subscriber)
    this.#emitTo = undefined
    subscriber.next(this.getSnapshot())
    return () => {
      this.#emitTo = undefined
      if (this.#subscribers.delete(subscriber) && this.#subscribers.size === 0) {
        this.#source.stop()
      }
    }
  }

  readonly #update = (): void => {
    const snapshot = this.getSnapshot()
    if (snapshot === this.#latest) {
      return
    }
    this.#latest = snapshot
    for (const subscriber of (this.#emitTo ??= [...this.#subscribers])) {
      subscriber.next(snapshot)
      // The subscriber caused a newer snapshot, which all subscribers have received.
      if (this.#latest !== snapshot) {
        return
      }
    }
  }
}

/** The source of a stream with invalid parameters: a snapshot with the error. */
export function createInvalidSource<T, S>(
  options: Pick<WatchOptions<T, S>, 'enabled' | 'select' | 'placeholderData'>,
  error: InvalidParameterError,
): SnapshotSource<S> {
  const select = createSnapshotSelector(options, () => Promise.resolve())
  // A disabled stream is pending instead: its parameters may not be known yet.
  const state = options.enabled === false ? undefined : ({ status: 'error', error } as const)
  return { read: () => select(state), start() {}, stop() {} }
}
