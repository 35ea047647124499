import { focusManager } from '@tanstack/query-core'
import { getRetryAfter, isFatal } from '../errors/retryPolicy.ts'
import type { Pollable } from '../polling/Pollable.ts'

/**
 * Why a resource is polled next at its time, or is not polled:
 *
 * - `fetching`: a request is in flight;
 * - `disabled`: it has no interval, or no enabled stream;
 * - `idle`: there is nothing to poll, as a listing of one page has no tail;
 * - `hidden`: the page is hidden;
 * - `fatal`: a poll cannot fix the error, such as that of an invalid key;
 * - `offline`: it failed, and the browser is offline;
 * - `budget`: the budget of the client lengthens the intervals, or rejected the poll;
 * - `retryAfter`: the service requested the delay;
 * - `backoff`: it failed, and the delay grows;
 * - `leader`: another tab polls;
 * - `changes`: the service pushes its changes;
 * - `interval`: its interval after the latest response.
 *
 * @example
 * import type { PollReason } from '@headwater/core/inspect'
 * const isPaused = (reason: PollReason) => reason === 'hidden' || reason === 'offline'
 */
export type PollReason =
  | 'fetching'
  | 'disabled'
  | 'idle'
  | 'hidden'
  | 'fatal'
  | 'offline'
  | 'budget'
  | 'retryAfter'
  | 'backoff'
  | 'leader'
  | 'changes'
  | 'interval'

interface PollTimes {
  readonly isFetching: boolean
  readonly isOnline: boolean
  /** Whether the budget lengthens the intervals, or delays a poll that is due. */
  readonly isThrottled: boolean
  /** Whether another tab is expected to deliver the response. */
  readonly isDeferred: boolean
  /** Whether the service pushes its changes. */
  readonly isFollowed: boolean
}

/** The reason of a time that `getNextPollAt` computes, by the same conditions in the same order. */
export function getPollReason(
  { interval, state }: Pick<Pollable, 'interval' | 'state'>,
  { isFetching, isOnline, isThrottled, isDeferred, isFollowed }: PollTimes,
): PollReason {
  if (isFetching) {
    return 'fetching'
  }
  if (interval === Infinity) {
    return 'disabled'
  }
  if (state === undefined) {
    return 'idle'
  }
  const { status, error } = state
  if (status === 'error' && isFatal(error)) {
    return 'fatal'
  }
  if (!focusManager.isFocused()) {
    return 'hidden'
  }
  if (status === 'error') {
    if (!isOnline) {
      return 'offline'
    }
    if (error?.name === 'BudgetError') {
      return 'budget'
    }
    return getRetryAfter(error) > 0 ? 'retryAfter' : 'backoff'
  }
  if (isDeferred) {
    return 'leader'
  }
  if (isFollowed) {
    return 'changes'
  }
  return isThrottled ? 'budget' : 'interval'
}
