import type { HeadwaterError } from '../errors/HeadwaterError.ts'

interface SnapshotBase {
  /**
   * Asks the service now, or joins the request that is already under way. Also resumes polling that a refused key
   * stopped. Keeps its identity for the life of the stream.
   *
   * @returns Resolves when the answer, or an error, is in the snapshot. Never rejects.
   */
  readonly refetch: () => Promise<void>
}

/**
 * Nothing known yet: the first answer is awaited, or the stream is not enabled.
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
 * The newest answer.
 *
 * @example
 * import type { BalancesResponse, SuccessSnapshot } from '@headwater/core'
 * const wallet = ({ data }: SuccessSnapshot<BalancesResponse>) => data.wallet_address
 */
export interface SuccessSnapshot<T> extends SnapshotBase {
  readonly status: 'success'
  readonly data: T
  readonly error: null
  /** Whether `data` is what `placeholderData` gave while the first answer is awaited. */
  readonly isPlaceholderData: boolean
}

/**
 * The newest attempt failed. `data` is the last good answer, if there ever was one.
 *
 * @example
 * import type { ErrorSnapshot } from '@headwater/core'
 * const text = ({ data, error }: ErrorSnapshot<unknown>) =>
 *   `${error.shortMessage} ${data === undefined ? '' : 'What you see may be old.'}`
 */
export interface ErrorSnapshot<T> extends SnapshotBase {
  readonly status: 'error'
  readonly data: T | undefined
  readonly error: HeadwaterError
  readonly isPlaceholderData: false
}

/**
 * What a stream knows at a moment, with TanStack's names. Told apart by `status`. An error is a state here and never
 * an error notification, so a combination of streams survives it.
 *
 * There is no `isFetching`: it would change at the start and the end of every poll, and everything that listens would
 * run twice a poll with nothing new to show.
 *
 * @example
 * import type { Snapshot, TokenInfoResponse } from '@headwater/core'
 * function text(snapshot: Snapshot<TokenInfoResponse>): string {
 *   if (snapshot.status === 'pending') return 'Loading'
 *   if (snapshot.status === 'error') return snapshot.error.shortMessage
 *   return snapshot.data.tokens[0]?.symbol ?? 'No such token'
 * }
 */
export type Snapshot<T> = PendingSnapshot | SuccessSnapshot<T> | ErrorSnapshot<T>
