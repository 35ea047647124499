import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { SourceFetchState, SourceSnapshot } from './SharedSource.ts'
import type { SnapshotStream } from './Snapshot.ts'
import { type SelectOptions, SnapshotSelector } from './SnapshotSelector.ts'
import type { TrackedSource } from './TrackedSnapshot.ts'

/** What a component subscribes to. */
interface ReadableSource<TSnapshot> {
  /** Returns the latest snapshot without `select` and `placeholderData`; the same reference until something changed. */
  readonly read: () => TSnapshot
  /** Calls `update` after changes. Returns a function that unsubscribes. */
  readonly subscribe: (update: () => void) => () => void
  /** Returns the tracked fields; undefined if snapshots have none. */
  readonly readFetchState?: () => SourceFetchState
}

/** What a stream selects, and from where. */
export interface Selection {
  readonly source: ReadableSource<unknown> & TrackedSource
  readonly options: SelectOptions
}

/**
 * Reads the snapshots of a stream for one component, for bindings of frameworks.
 *
 * A component that renders with a new stream creates a new reader from the previous one. Then equal data keeps its identity
 * although `select` or `placeholderData` is a new object, the subscription stays if the query is the same, and a function as
 * `placeholderData` receives the previous data.
 *
 * @example
 * import { createClient, SnapshotReader, watchBalances } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * const watch = () =>
 *   watchBalances(client, { address }, { select: (rows) => rows.map(({ symbol }) => symbol) })
 * const reader = new SnapshotReader(watch())
 * const next = new SnapshotReader(watch(), reader)
 * console.log(next.source === reader.source, next.getSnapshot().data === reader.getSnapshot().data)
 */
export class SnapshotReader<TSnapshot> {
  /** What to subscribe to: the same object for streams that differ only in `select` and `placeholderData`. */
  readonly source: ReadableSource<TSnapshot>
  readonly #selector: SnapshotSelector | undefined

  /**
   * @param stream - A stream of this package.
   * @param previous - The previous reader of the component.
   */
  constructor(
    // With `SnapshotStream<unknown, TSnapshot>`, TypeScript infers unknown rows for a stream created inline.
    stream: Pick<SnapshotStream<never, TSnapshot>, 'getSnapshot' | 'subscribe'>,
    previous?: SnapshotReader<unknown>,
  ) {
    // For plain JavaScript, which may pass a promise. Bundlers replace the expression, and remove the code for production.
    if (process.env.NODE_ENV !== 'production' && !('getSnapshot' in Object(stream))) {
      const rule = 'must be a stream, as `watchBalances` and `client.connection$` are'
      throw new InvalidParameterError('stream', rule)
    }
    const { selection } = stream as { readonly selection?: Selection }
    if (selection) {
      const { source, options } = selection
      this.source = source as ReadableSource<TSnapshot>
      this.#selector = new SnapshotSelector(source, options, previous && previous.#selector)
    } else {
      this.source = {
        read: stream.getSnapshot,
        subscribe(update) {
          const subscription = stream.subscribe(update)
          return () => subscription.unsubscribe()
        },
      }
    }
  }

  /** The latest snapshot; the same reference until something changed. Needs no `this`. */
  readonly getSnapshot = (): TSnapshot => this.apply(this.source.read())

  /**
   * Applies `select` and `placeholderData` to a snapshot of the source.
   *
   * @param fetchState - The tracked fields. Default: the latest.
   */
  apply(input: TSnapshot, fetchState?: SourceFetchState): TSnapshot {
    return this.#selector
      ? (this.#selector.apply(input as SourceSnapshot<unknown>, fetchState) as TSnapshot)
      : input
  }
}
