import { Observable, type Subscriber } from 'rxjs'
import type { SharedSource, SourceListener, SourceSnapshot } from './SharedSource.ts'
import type { Snapshot, SnapshotStream } from './Snapshot.ts'
import type { Selection } from './SnapshotReader.ts'
import { type SelectOptions, SnapshotSelector } from './SnapshotSelector.ts'

/** An observable of the snapshots of a source, with `select` and `placeholderData`. */
export class SnapshotObservable<S, TSnapshot = Snapshot<S>>
  extends Observable<TSnapshot>
  implements SnapshotStream<S, TSnapshot>
{
  readonly isEnabled: boolean
  readonly selection: Selection | undefined
  readonly getSnapshot: () => TSnapshot

  /** @param options - Undefined if the source has no {@link Snapshot}s. */
  constructor(source: SharedSource<unknown>, options?: SelectOptions, isEnabled = true) {
    super((subscriber) => {
      const listener = new SubscriberListener(selector, subscriber)
      const unsubscribe = source.add(listener)
      listener.update(source.read())
      if (source.isCompleted) {
        subscriber.complete()
      }
      return unsubscribe
    })
    const selector = options && new SnapshotSelector(source, options)
    this.isEnabled = isEnabled
    this.selection = options && { source, options }
    this.getSnapshot = () => select(selector, source.read()) as TSnapshot
  }

  /** Keeps Vue from wrapping the stream in a proxy, which has another identity. */
  get [Symbol.toStringTag](): string {
    return 'SnapshotStream'
  }
}

class SubscriberListener<TSnapshot> implements SourceListener {
  readonly #selector: SnapshotSelector | undefined
  readonly #subscriber: Subscriber<TSnapshot>
  #latest: unknown

  constructor(selector: SnapshotSelector | undefined, subscriber: Subscriber<TSnapshot>) {
    this.#selector = selector
    this.#subscriber = subscriber
  }

  update(input: unknown): void {
    const snapshot = select(this.#selector, input)
    if (snapshot !== this.#latest) {
      this.#latest = snapshot
      this.#subscriber.next(snapshot as TSnapshot)
    }
  }

  complete(): void {
    this.#subscriber.complete()
  }
}

function select(selector: SnapshotSelector | undefined, input: unknown): unknown {
  return selector ? selector.apply(input as SourceSnapshot<unknown>) : input
}
