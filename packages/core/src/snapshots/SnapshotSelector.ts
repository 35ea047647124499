import { replaceEqualDeep } from '@tanstack/query-core'
import { toHeadwaterError } from '../errors/HeadwaterError.ts'
import type { WatchOptions } from '../queries/WatchOptions.ts'
import type { SourceFetchState, SourceSnapshot } from './SharedSource.ts'
import { TrackedFields, TrackedSnapshot, type TrackedSource } from './TrackedSnapshot.ts'

export type SelectOptions = Pick<WatchOptions<unknown, unknown>, 'select' | 'placeholderData'>

/**
 * Applies `select` and `placeholderData` to the snapshots of a source, for one stream or component. One object with all of
 * its state: with thousands of streams, each further object to load costs as much as `select`.
 */
export class SnapshotSelector {
  readonly #source: TrackedSource
  readonly #select: SelectOptions['select']
  readonly #placeholderData: SelectOptions['placeholderData']
  /** The latest snapshot, and what it was derived from. */
  #input: SourceSnapshot<unknown> | undefined
  #tracked: TrackedFields
  #snapshot: TrackedSnapshot | undefined
  #data: unknown
  /** The argument, the result and the error of `select`. */
  #value: unknown
  #result: unknown
  #selectError: unknown = null
  /** The source of the result. */
  #resultSource: TrackedSource | undefined
  /** The latest response of this or an earlier query. */
  #latestData: unknown

  /** @param previous - The selector whose results keep their identity. It stays as it is, as it may still be in use. */
  constructor(
    source: TrackedSource,
    { select, placeholderData }: SelectOptions,
    previous?: SnapshotSelector,
  ) {
    this.#source = source
    this.#select = select
    this.#placeholderData = placeholderData
    if (!previous) {
      this.#tracked = new TrackedFields(source)
      return
    }
    this.#tracked =
      previous.#source === source
        ? previous.#tracked
        : new TrackedFields(source, undefined, previous.#tracked.isTracked)
    this.#snapshot = previous.#snapshot
    this.#data = previous.#data
    this.#result = previous.#result
    this.#selectError = previous.#selectError
    this.#resultSource = previous.#resultSource
    this.#latestData = previous.#latestData
    if (previous.#select === select) {
      this.#value = previous.#value
      this.#input = previous.#placeholderData === placeholderData ? previous.#input : undefined
    }
  }

  /**
   * Returns the snapshot for one of the source; the same one until something changed.
   *
   * @param fetchState - The tracked fields. Default: the latest.
   */
  apply(input: SourceSnapshot<unknown>, fetchState?: SourceFetchState): unknown {
    const { isTracked, fetchState: latest } = this.#tracked
    if (isTracked) {
      this.#source.track()
      fetchState ??= this.#source.readFetchState()
    }
    if (this.#input === input && (!isTracked || latest === fetchState)) {
      return this.#snapshot
    }
    if (latest !== fetchState) {
      this.#tracked = new TrackedFields(this.#source, fetchState, isTracked)
    }
    const snapshot = this.#create(input)
    const isShared =
      this.#data === snapshot.data && latest === fetchState && isEqual(this.#snapshot, snapshot)
    this.#input = input
    this.#data = snapshot.data
    return isShared ? this.#snapshot : (this.#snapshot = snapshot)
  }

  #create(input: SourceSnapshot<unknown>): TrackedSnapshot {
    const select = this.#select
    const isPending = input.status === 'pending'
    const latestData = (this.#latestData = input.data ?? this.#latestData)
    const value = isPending ? getPlaceholder(this.#placeholderData, latestData) : input.data
    const snapshot = new TrackedSnapshot(input, this.#tracked)
    if (value === undefined) {
      // The stream is pending, or has an error only.
      this.#selectError = null
    } else if (!select) {
      // Responses share their structure in the cache already.
      this.#result = isPending ? replaceEqualDeep(this.#result, value) : value
      this.#selectError = null
    } else if (this.#value !== value) {
      this.#runSelect(select, value)
    }
    this.#value = value
    this.#resultSource = this.#source
    if (value !== undefined && (select || isPending)) {
      const error = this.#selectError
      snapshot.status = error ? 'error' : isPending ? 'success' : input.status
      snapshot.data = this.#result
      snapshot.error = error ?? input.error
      snapshot.isPlaceholderData = isPending && !error
      // Of a list of prices, which has no response yet.
      if (isPending && 'isPartialData' in input) {
        snapshot.isPartialData = !error
      }
    }
    return snapshot
  }

  #runSelect(select: (data: unknown) => unknown, value: unknown): void {
    try {
      this.#result = replaceEqualDeep(this.#result, select(value))
      this.#selectError = null
    } catch (error) {
      this.#selectError = toHeadwaterError(error ?? new Error('select failed'))
      // Never the data of another query.
      if (this.#resultSource !== this.#source) {
        this.#result = undefined
      }
    }
  }
}

function getPlaceholder(
  placeholderData: SelectOptions['placeholderData'],
  previousData: unknown,
): unknown {
  return typeof placeholderData === 'function'
    ? (placeholderData as (previousData: unknown) => unknown)(previousData)
    : placeholderData
}

/** Whether all fields of two snapshots are the same. */
function isEqual(previous: TrackedSnapshot | undefined, next: TrackedSnapshot): boolean {
  const names = Object.keys(next) as (keyof TrackedSnapshot)[]
  return previous !== undefined && names.every((name) => previous[name] === next[name])
}
