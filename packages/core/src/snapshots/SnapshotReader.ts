import { replaceEqualDeep } from '@tanstack/query-core'
import { toHeadwaterError } from '../errors/HeadwaterError.ts'
import type { WatchOptions } from '../queries/WatchOptions.ts'
import type { SourceFetchState, SourceSnapshot } from './SharedSource.ts'
import type { SnapshotStream } from './Snapshot.ts'

export type SelectOptions = Pick<WatchOptions<unknown, unknown>, 'select' | 'placeholderData'>

/** What a component subscribes to. */
interface ReadableSource<TSnapshot> {
  /** Returns the latest snapshot without `select` and `placeholderData`; the same reference until something changed. */
  readonly read: () => TSnapshot
  /** Calls `update` after changes. Returns a function that unsubscribes. */
  readonly subscribe: (update: () => void) => () => void
  /** Returns the tracked fields; undefined if snapshots have none. */
  readonly readFetchState?: (() => SourceFetchState) | undefined
  /** From now on listeners are also called for changes of the tracked fields. */
  readonly track?: () => void
}

/** What a stream selects, and from where. */
export interface Selection<TSnapshot> {
  readonly source: ReadableSource<TSnapshot>
  readonly options: SelectOptions
}

type AnySnapshot = SourceSnapshot<unknown>

/** The latest snapshot of a reader, and what it was derived from. */
interface Memory {
  readonly source: object
  readonly options: SelectOptions
  readonly input: AnySnapshot
  /** The argument, the result and the error of `select`. */
  readonly value: unknown
  readonly result: unknown
  readonly selectError: unknown
  /** The latest response of this or an earlier query. */
  readonly latestData: unknown
  readonly snapshot: AnySnapshot
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
  readonly #options: SelectOptions | undefined
  readonly #tracking: Tracking
  #memory: Memory | undefined
  #tracked: FetchStateCell | undefined

  /**
   * @param stream - A stream of this package.
   * @param previous - The previous reader of the component.
   */
  constructor(
    // With `SnapshotStream<unknown, TSnapshot>`, TypeScript infers unknown rows for a stream created inline.
    stream: Pick<SnapshotStream<never, TSnapshot>, 'getSnapshot' | 'subscribe'>,
    previous?: SnapshotReader<unknown>,
  ) {
    this.#tracking = previous ? previous.#tracking : { isTracked: false }
    if (previous) {
      this.#memory = previous.#memory
      this.#tracked = previous.#tracked
    }
    const { selection } = stream as { readonly selection?: Selection<TSnapshot> }
    if (selection) {
      this.source = selection.source
      this.#options = selection.options
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
    if (!this.#options) {
      return input
    }
    const { source } = this
    const { readFetchState, track } = source
    const tracking = this.#tracking
    this.#memory = select(this.#memory, source, input as AnySnapshot, this.#options)
    const { snapshot } = this.#memory
    if (!readFetchState || !track) {
      return snapshot as TSnapshot
    }
    if (tracking.isTracked) {
      track()
      fetchState ??= readFetchState()
    }
    const latest = this.#tracked
    if (
      latest?.source !== source ||
      latest.input !== snapshot ||
      (tracking.isTracked && latest.fetchState !== fetchState)
    ) {
      this.#tracked = new FetchStateCell(source, snapshot, fetchState, tracking)
    }
    return this.#tracked!.snapshot as TSnapshot
  }
}

/** Whether a tracked field was read by a component, or from any snapshot of a stream. */
interface Tracking {
  isTracked: boolean
}

/** The tracked fields of a snapshot. */
class FetchStateCell {
  readonly source: ReadableSource<unknown>
  readonly input: AnySnapshot
  readonly snapshot: object
  /** Undefined until it is read, unless a field of an earlier snapshot was read. */
  fetchState: SourceFetchState | undefined
  readonly #tracking: Tracking

  constructor(
    source: ReadableSource<unknown>,
    input: AnySnapshot,
    fetchState: SourceFetchState | undefined,
    tracking: Tracking,
  ) {
    this.source = source
    this.input = input
    this.fetchState = fetchState
    this.#tracking = tracking
    this.snapshot = new TrackedSnapshot(input, this)
  }

  read(): SourceFetchState {
    this.#tracking.isTracked = true
    this.source.track!()
    return (this.fetchState ??= this.source.readFetchState!())
  }
}

/** One object for all calls, which take half as long as with an object each. */
const cellDescriptor: { value: FetchStateCell | undefined; configurable: true } = {
  value: undefined,
  configurable: true,
}

/** A snapshot whose tracked fields are getters of the prototype: own ones take ten times as long to create. */
class TrackedSnapshot {
  /** Not enumerable, and not a private member, which a proxy of Vue could not access. */
  declare private readonly cell: FetchStateCell

  constructor(input: AnySnapshot, cell: FetchStateCell) {
    cellDescriptor.value = cell
    Object.defineProperty(this, 'cell', cellDescriptor)
    Object.assign(this, input)
  }

  get fetchStatus() {
    return this.cell.read().fetchStatus
  }

  get isFetching() {
    return this.fetchStatus === 'fetching'
  }

  get dataUpdatedAt() {
    return this.cell.read().dataUpdatedAt
  }

  get response_time() {
    return this.cell.read().response_time
  }
}

function select(
  memory: Memory | undefined,
  source: object,
  input: AnySnapshot,
  options: SelectOptions,
): Memory {
  const { select, placeholderData } = options
  const isSameSelect = memory?.options.select === select
  if (
    memory?.input === input &&
    isSameSelect &&
    memory.options.placeholderData === placeholderData
  ) {
    return memory
  }
  const isPending = input.status === 'pending'
  const latestData = input.data ?? memory?.latestData
  const value = isPending ? getPlaceholder(placeholderData, latestData) : input.data
  let result = memory?.result
  let selectError: unknown = null
  if (value === undefined) {
    // The stream is pending, or has an error only.
  } else if (!select) {
    // Responses share their structure in the cache already.
    result = isPending ? replaceEqualDeep(result, value) : value
  } else if (memory && isSameSelect && memory.value === value) {
    ;({ selectError } = memory)
  } else {
    try {
      result = replaceEqualDeep(result, select(value))
    } catch (error) {
      selectError = toHeadwaterError(error ?? new Error('select failed'))
      // Never the data of another query.
      result = memory?.source === source ? result : undefined
    }
  }
  let snapshot = input
  if (value !== undefined && (select || isPending)) {
    snapshot = {
      ...input,
      status: selectError ? 'error' : isPending ? 'success' : input.status,
      data: result,
      error: selectError ?? input.error,
      isPlaceholderData: isPending && !selectError,
      // Of a list of prices, which has no response yet.
      ...(isPending && 'isPartialData' in input && { isPartialData: !selectError }),
    } as AnySnapshot
    if (memory && memory.snapshot.data === result) {
      snapshot = shareSnapshot(memory.snapshot, snapshot)
    }
  }
  return { source, options, input, value, result, selectError, latestData, snapshot }
}

function getPlaceholder(
  placeholderData: SelectOptions['placeholderData'],
  previousData: unknown,
): unknown {
  return typeof placeholderData === 'function'
    ? (placeholderData as (previousData: unknown) => unknown)(previousData)
    : placeholderData
}

/** Returns the previous snapshot if all of its fields are the same. */
function shareSnapshot(previous: AnySnapshot, next: AnySnapshot): AnySnapshot {
  const names = Object.keys(next) as (keyof AnySnapshot)[]
  return names.every((name) => previous[name] === next[name]) ? previous : next
}
