import { replaceEqualDeep, type QueryState } from '@tanstack/query-core'
import { toHeadwaterError } from '../errors/toHeadwaterError.ts'
import type { Snapshot } from './Snapshot.ts'
import type { WatchOptions } from './WatchOptions.ts'

/** What a snapshot is made of. */
type ReadableState = Pick<QueryState, 'status'> & Partial<Pick<QueryState, 'data' | 'error'>>

/** Makes snapshots of the states of a query; the same one until something changed. */
export function createSnapshotReader<T, S>(
  { select, placeholderData }: Pick<WatchOptions<T, S>, 'select' | 'placeholderData'>,
  refetch: () => Promise<void>,
): (state: ReadableState | undefined) => Snapshot<S> {
  const pending: Snapshot<S> = {
    status: 'pending',
    data: undefined,
    error: null,
    isPlaceholderData: false,
    refetch,
  }
  let snapshot = pending as Snapshot<S>
  let seen: ReadableState | undefined
  let selection: { of: unknown; data: S | undefined; error: unknown } | undefined
  const placeholder = once(() =>
    typeof placeholderData === 'function'
      ? (placeholderData as () => T | undefined)()
      : placeholderData,
  )

  return (state) => {
    const { status = 'pending', data, error = null } = state ?? {}
    if (seen && seen.status === status && seen.data === data && seen.error === error) {
      return snapshot
    }
    seen = { status, data, error }
    const next = make(status, data, error)
    if (!isSame(snapshot, next)) snapshot = next
    return snapshot
  }

  function make(status: QueryState['status'], answer: unknown, error: unknown): Snapshot<S> {
    const isPlaceholderData = status === 'pending' && answer === undefined
    const shown = isPlaceholderData ? placeholder() : answer
    const chosen = choose(shown)
    const failure = chosen.error ?? (status === 'error' ? error : null)
    if (failure !== null) {
      return {
        status: 'error',
        data: chosen.data,
        error: toHeadwaterError(failure),
        isPlaceholderData: false,
        refetch,
      }
    }
    if (shown === undefined) return pending
    return {
      status: 'success',
      data: chosen.data as S,
      error: null,
      isPlaceholderData,
      refetch,
    }
  }

  /** Runs `select` once an answer, and keeps of its result what did not change. */
  function choose(answer: unknown): { data: S | undefined; error: unknown } {
    if (answer === undefined) return { data: undefined, error: null }
    if (select === undefined) return { data: answer as S, error: null }
    if (selection?.of === answer) return selection
    try {
      const data = replaceEqualDeep(selection?.data, select(answer as T))
      selection = { of: answer, data, error: null }
    } catch (error) {
      selection = { of: answer, data: selection?.data, error: error ?? new Error('select failed') }
    }
    return selection
  }
}

function isSame<S>(a: Snapshot<S>, b: Snapshot<S>): boolean {
  return (
    a.status === b.status &&
    a.data === b.data &&
    a.error === b.error &&
    a.isPlaceholderData === b.isPlaceholderData
  )
}

function once<T>(compute: () => T): () => T {
  let done: { value: T } | undefined
  return () => (done ??= { value: compute() }).value
}
