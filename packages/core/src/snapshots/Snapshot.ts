import type { FetchStatus } from '@tanstack/query-core'
import type { Observable } from 'rxjs'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'

/**
 * The part of a snapshot that changes with every request, with TanStack's names. Its fields are tracked: a stream emits their
 * changes, and a component renders for them, only once one of them was read. They are getters, which a spread of the snapshot
 * does not copy.
 *
 * @example
 * import type { FetchState } from '@headwater/core'
 * const text = ({ isFetching, dataUpdatedAt }: FetchState) =>
 *   isFetching ? 'Updating' : `Updated at ${new Date(dataUpdatedAt).toISOString()}`
 */
export interface FetchState {
  /**
   * `fetching` while a request is in flight, of the first response, a poll or a refetch; `paused` while a retry waits for the
   * page to be visible; else `idle`. A pending snapshot that is `idle` is disabled. Before the first subscription, an
   * enabled stream without data is `fetching`. With query-core before 5.102, polls are not included.
   */
  readonly fetchStatus: FetchStatus
  /** Whether `fetchStatus` is `fetching`. */
  readonly isFetching: boolean
  /** Local time of the latest successful response in milliseconds since 1970, also if it changed nothing; 0 before. */
  readonly dataUpdatedAt: number
}

interface SnapshotBase extends FetchState {
  /**
   * Fetches now, or joins the request in flight. Also resumes polling that a fatal error stopped. Keeps its identity for the
   * life of the stream.
   *
   * @returns Resolves when the response, or an error, is in the snapshot. Never rejects.
   */
  readonly refetch: () => Promise<void>
}

/**
 * No data yet: the first response is pending, or the stream is disabled.
 *
 * @example
 * import type { PendingSnapshot, Snapshot } from '@headwater/core'
 * const isPending = (snapshot: Snapshot<unknown>): snapshot is PendingSnapshot =>
 *   snapshot.status === 'pending'
 */
export interface PendingSnapshot extends SnapshotBase {
  readonly status: 'pending'
  readonly data: undefined
  readonly error: null
  readonly isPlaceholderData: false
}

/**
 * The latest fetch succeeded.
 *
 * @example
 * import type { BalancesResponse, SuccessSnapshot } from '@headwater/core'
 * const wallet = ({ data }: SuccessSnapshot<BalancesResponse>) => data.wallet_address
 */
export interface SuccessSnapshot<T> extends SnapshotBase {
  readonly status: 'success'
  readonly data: T
  readonly error: null
  /** Whether `data` is the `placeholderData`, while the first response is pending. */
  readonly isPlaceholderData: boolean
}

/**
 * The latest fetch failed. `data` is the latest successful response, if any.
 *
 * @example
 * import type { ErrorSnapshot } from '@headwater/core'
 * const text = ({ data, error }: ErrorSnapshot<unknown>) =>
 *   `${error.shortMessage} ${data === undefined ? '' : 'The data may be outdated.'}`
 */
export interface ErrorSnapshot<T> extends SnapshotBase {
  readonly status: 'error'
  readonly data: T | undefined
  readonly error: HeadwaterError
  readonly isPlaceholderData: false
}

/**
 * The state of a stream, with TanStack's names. A union discriminated by `status`. Errors are part of the state and never
 * error notifications, so combined streams survive them.
 *
 * The fields of {@link FetchState} change at the start and the end of every poll. Streams and components that do not read
 * them are not updated for them.
 *
 * @example
 * import type { Snapshot, TokenInfoResponse } from '@headwater/core'
 * function text(snapshot: Snapshot<TokenInfoResponse>): string {
 *   if (snapshot.status === 'pending') return 'Loading'
 *   if (snapshot.status === 'error') return snapshot.error.shortMessage
 *   return snapshot.data.tokens[0]?.symbol ?? 'Unknown token'
 * }
 */
export type Snapshot<T> = PendingSnapshot | SuccessSnapshot<T> | ErrorSnapshot<T>

/**
 * An observable of snapshots.
 *
 * Lazy: nothing is fetched before the first subscription. Ref-counted, as with `share()`: all subscribers, and all streams
 * of the same query, use one request and one poll. Replays: a subscriber receives the latest snapshot synchronously. Emits
 * only when something changed. Torn down shortly after the last subscriber left. Never errors; completes only when the client
 * is destroyed.
 *
 * @example
 * import type { SnapshotStream, TokenInfoResponse } from '@headwater/core'
 * import { map } from 'rxjs'
 * const prices = (stream: SnapshotStream<TokenInfoResponse>) =>
 *   stream.pipe(map(({ data }) => data?.tokens[0]?.price_usd))
 */
export interface SnapshotStream<T, TSnapshot = Snapshot<T>> extends Observable<TSnapshot> {
  /**
   * The latest snapshot, also before the first subscription: cached data, or a pending snapshot.
   *
   * @returns The same reference until something changed. Needs no `this`.
   */
  readonly getSnapshot: () => TSnapshot
  /** @internal False if the stream is disabled, so that it never settles. */
  readonly isEnabled?: boolean
}
