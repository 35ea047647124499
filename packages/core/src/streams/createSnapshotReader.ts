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
  let snapshot: Snapshot<S> | undefined
  let seen: ReadableState | undefined
  let placeholder: { value: T | undefined } | undefined
  /** The answer that was selected from, what of it, and what went wrong with that. */
  let selectedFrom: T | undefined
  let selected: S | undefined
  let selectError: unknown = null

  return (state = pending) => {
    const before = seen
    const { status, data, error = null } = (seen = state)
    if (
      snapshot &&
      before?.status === status &&
      before.data === data &&
      (before.error ?? null) === error
    ) {
      return snapshot
    }
    const isAwaited = status === 'pending' && data === undefined
    const answer = isAwaited ? getPlaceholder() : (data as T | undefined)
    const isKnown = answer !== undefined
    const chosen = isKnown ? choose(answer) : undefined
    const failure = (isKnown ? selectError : null) ?? (status === 'error' ? error : null)
    const isFailed = failure !== null
    const next = {
      status: isFailed ? 'error' : isKnown ? 'success' : 'pending',
      data: chosen,
      error: isFailed ? toHeadwaterError(failure) : null,
      isPlaceholderData: isAwaited && isKnown && !isFailed,
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
