import type { QueryState } from '@tanstack/query-core'
import { toHeadwaterError } from '../errors/HeadwaterError.ts'
import type { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { SnapshotSource, SourceFetchState, SourceSnapshot } from './SharedSource.ts'

/** The part of a query's state that a snapshot depends on. */
type SnapshotState = Pick<QueryState, 'status'> & Partial<Pick<QueryState, 'data' | 'error'>>

/** Creates a function from states of a query to snapshots. It returns the same snapshot until something changed. */
export function createSnapshots<T>(
  refetch: () => Promise<void>,
): (state: SnapshotState | undefined) => SourceSnapshot<T> {
  let snapshot: SourceSnapshot<T> | undefined
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
    } as SourceSnapshot<T>)
  }
}

/** The tracked fields without a response. */
export const idle: SourceFetchState = { fetchStatus: 'idle', dataUpdatedAt: 0 }

/** The tracked fields of several queries: whether one is fetching, and the age of the oldest response. */
export function mergeFetchStates(states: readonly SourceFetchState[]): SourceFetchState {
  const statuses = states.map(({ fetchStatus }) => fetchStatus)
  const times = states.flatMap(({ dataUpdatedAt }) => dataUpdatedAt || [])
  return {
    fetchStatus:
      (['fetching', 'paused'] as const).find((each) => statuses.includes(each)) ?? 'idle',
    dataUpdatedAt: times.length > 0 ? Math.min(...times) : 0,
  }
}

/** The source of a stream with invalid parameters: a snapshot with the error. */
export function createInvalidSource<T>(
  { enabled }: { readonly enabled?: boolean | undefined },
  error: InvalidParameterError,
): SnapshotSource<SourceSnapshot<T>> {
  const toSnapshot = createSnapshots<T>(() => Promise.resolve())
  // A disabled stream is pending instead: its parameters may not be known yet.
  const state = enabled === false ? undefined : ({ status: 'error', error } as const)
  return { read: () => toSnapshot(state), readFetchState: () => idle, start() {}, stop() {} }
}
