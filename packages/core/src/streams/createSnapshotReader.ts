import { replaceEqualDeep, type QueryState } from '@tanstack/query-core'
import { toHeadwaterError } from '../errors/toHeadwaterError.ts'
import type { Snapshot } from './Snapshot.ts'
import type { WatchOptions } from './WatchOptions.ts'

/** What a snapshot is made of. */
type ReadableState = Pick<QueryState, 'status'> & Partial<Pick<QueryState, 'data' | 'error'>>

/** Makes snapshots of the states of a query, which do not change themselves; the same one until something changed. */
export function createSnapshotReader<T, S>(
  { select, placeholderData }: Pick<WatchOptions<T, S>, 'select' | 'placeholderData'>,
  refetch: () => Promise<void>,
): (state: ReadableState | undefined) => Snapshot<S> {
  const pending: ReadableState = { status: 'pending' }
  let snapshot = {
    status: 'pending',
    data: undefined,
    error: null,
    isPlaceholderData: false,
    refetch,
  } as Snapshot<S>
  let seen: ReadableState | undefined
  let placeholder: { value: T | undefined } | undefined
  /** The answer that was selected from, what of it, and what went wrong with that. */
  let selectedFrom: T | undefined
  let selected: S | undefined
  let selectError: unknown = null

  return (state = pending) => {
    const before = seen
    if (state === before) return snapshot
    seen = state
    const { status, error = null } = state
    if (before?.status === status && before.data === state.data && before.error === state.error) {
      return snapshot
    }
    const isPlaceholderData = status === 'pending' && state.data === undefined
    const answer = isPlaceholderData ? getPlaceholder() : (state.data as T | undefined)
    const data = answer === undefined ? undefined : choose(answer)
    const failure =
      (answer === undefined ? null : selectError) ?? (status === 'error' ? error : null)
    if (failure !== null) show('error', data, toHeadwaterError(failure), false)
    else if (answer === undefined) show('pending', undefined, null, false)
    else show('success', data, null, isPlaceholderData)
    return snapshot
  }

  function show(
    status: Snapshot<S>['status'],
    data: S | undefined,
    error: Snapshot<S>['error'],
    isPlaceholderData: boolean,
  ): void {
    if (
      snapshot.status !== status ||
      snapshot.data !== data ||
      snapshot.error !== error ||
      snapshot.isPlaceholderData !== isPlaceholderData
    ) {
      snapshot = { status, data, error, isPlaceholderData, refetch } as Snapshot<S>
    }
  }

  /** Runs `select` once an answer, and keeps of its result what did not change. */
  function choose(answer: T): S | undefined {
    if (select === undefined) return answer as unknown as S
    if (selectedFrom !== answer) {
      selectedFrom = answer
      selectError = null
      try {
        selected = replaceEqualDeep(selected, select(answer))
      } catch (error) {
        selectError = error ?? new Error('select failed')
      }
    }
    return selected
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
