import { type QueryState, replaceEqualDeep } from '@tanstack/query-core'
import { toHeadwaterError } from '../errors/HeadwaterError.ts'
import type { WatchOptions } from '../queries/WatchOptions.ts'
import type { Snapshot } from './Snapshot.ts'

/** The part of a query's state that a snapshot depends on. */
type SelectableState = Pick<QueryState, 'status'> & Partial<Pick<QueryState, 'data' | 'error'>>

/**
 * Creates a function from query states to snapshots. It applies `select` and `placeholderData`, and returns the same
 * snapshot until something changed. States are immutable.
 */
export function createSnapshotSelector<T, S>(
  { select, placeholderData }: Pick<WatchOptions<T, S>, 'select' | 'placeholderData'>,
  refetch: () => Promise<void>,
): (state: SelectableState | undefined) => Snapshot<S> {
  const pending: SelectableState = { status: 'pending' }
  let snapshot: Snapshot<S> | undefined
  let latest: SelectableState | undefined
  let placeholder: { value: T | undefined } | undefined
  let selectInput: T | undefined
  let selectResult: S | undefined
  let selectError: unknown = null

  return (state = pending) => {
    const previous = latest
    const { status, data, error = null } = (latest = state)
    if (
      snapshot &&
      previous?.status === status &&
      previous.data === data &&
      (previous.error ?? null) === error
    ) {
      return snapshot
    }
    const isFirstPending = status === 'pending' && data === undefined
    const input = isFirstPending ? getPlaceholder() : (data as T | undefined)
    const hasData = input !== undefined
    const output = hasData ? runSelect(input) : undefined
    const failure = (hasData ? selectError : null) ?? (status === 'error' ? error : null)
    const isFailed = failure !== null
    const next = {
      status: isFailed ? 'error' : hasData ? 'success' : 'pending',
      data: output,
      error: isFailed ? toHeadwaterError(failure) : null,
      isPlaceholderData: isFirstPending && hasData && !isFailed,
      refetch,
    } as Snapshot<S>
    if (
      snapshot?.status !== next.status ||
      snapshot.data !== next.data ||
      snapshot.error !== next.error ||
      snapshot.isPlaceholderData !== next.isPlaceholderData
    ) {
      snapshot = next
    }
    return snapshot
  }

  /** Runs `select` once per response, and keeps the identity of unchanged parts of its result. */
  function runSelect(input: T): S | undefined {
    if (select === undefined) {
      return input as unknown as S
    }
    if (selectInput !== input) {
      selectInput = input
      selectError = null
      try {
        selectResult = replaceEqualDeep(selectResult, select(input))
      } catch (error) {
        selectError = error ?? new Error('select failed')
      }
    }
    return selectResult
  }

  function getPlaceholder(): T | undefined {
    placeholder ??= {
      value:
        typeof placeholderData === 'function'
          ? (placeholderData as () => T | undefined)()
          : placeholderData,
    }
    return placeholder.value
  }
}
