import type { QueryState } from '@tanstack/query-core'
import { toHeadwaterError } from '../errors/HeadwaterError.ts'
import type { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { SnapshotSource } from './SharedSource.ts'
import type { Snapshot } from './Snapshot.ts'

/** The part of a query's state that a snapshot depends on. */
type SnapshotState = Pick<QueryState, 'status'> & Partial<Pick<QueryState, 'data' | 'error'>>

/** Creates a function from states of a query to snapshots. It returns the same snapshot until something changed. */
export function createSnapshots<T>(
  refetch: () => Promise<void>,
): (state: SnapshotState | undefined) => Snapshot<T> {
  let snapshot: Snapshot<T> | undefined
  let latestFailure: { readonly error: unknown } | undefined

  return ({ status, data, error } = { status: 'pending' }) => {
    const failure = status === 'error' ? { error } : undefined
    if (snapshot && snapshot.data === data && latestFailure?.error === failure?.error) {
      return snapshot
    }
    latestFailure = failure
    return (snapshot = {
      status: failure ? 'error' : data === undefined ? 'pending' : 'success',
      data,
      error: failure ? toHeadwaterError(error) : null,
      isPlaceholderData: false,
      refetch,
    } as Snapshot<T>)
  }
}

/** The source of a stream with invalid parameters: a snapshot with the error. */
export function createInvalidSource<T>(
  { enabled }: { readonly enabled?: boolean | undefined },
  error: InvalidParameterError,
): SnapshotSource<Snapshot<T>> {
  const toSnapshot = createSnapshots<T>(() => Promise.resolve())
  // A disabled stream is pending instead: its parameters may not be known yet.
  const state = enabled === false ? undefined : ({ status: 'error', error } as const)
  return { read: () => toSnapshot(state), start() {}, stop() {} }
}
