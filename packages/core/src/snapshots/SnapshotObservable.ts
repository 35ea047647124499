import { Observable } from 'rxjs'
import type { SharedSource } from './SharedSource.ts'
import type { Snapshot, SnapshotStream } from './Snapshot.ts'
import { type Selection, type SelectOptions, SnapshotReader } from './SnapshotReader.ts'

/** An observable of the snapshots of a source, with `select` and `placeholderData`. */
export class SnapshotObservable<S, TSnapshot = Snapshot<S>>
  extends Observable<TSnapshot>
  implements SnapshotStream<S, TSnapshot>
{
  readonly isEnabled: boolean
  readonly selection: Selection<unknown>
  readonly getSnapshot: () => TSnapshot

  constructor(source: SharedSource<unknown>, options: SelectOptions = {}, isEnabled = true) {
    super((subscriber) => {
      let latest: TSnapshot | undefined
      const update = () => {
        const snapshot = this.getSnapshot()
        if (snapshot !== latest) {
          subscriber.next((latest = snapshot))
        }
      }
      const unsubscribe = source.subscribe(update, () => subscriber.complete())
      update()
      if (source.isCompleted) {
        subscriber.complete()
      }
      return unsubscribe
    })
    this.isEnabled = isEnabled
    this.selection = { source, options }
    this.getSnapshot = new SnapshotReader<TSnapshot>(this).getSnapshot
  }

  /** Keeps Vue from wrapping the stream in a proxy, which has another identity. */
  get [Symbol.toStringTag](): string {
    return 'SnapshotStream'
  }
}
