import { getRetryAfter, isFatal } from '../errors/retryPolicy.ts'
import { getPast } from './getPast.ts'
import type { Pollable } from './Pollable.ts'

/** State of the poller for one entry. Times are local, in milliseconds. */
export interface PollRecord {
  /** When polling started. */
  readonly startedAt: number
  /** When it was last polled; 0 for never. */
  polledAt: number
  /** Since when it is to be polled as soon as the throttle allows; `Infinity` when it is not. */
  requestedAt: number
  /** Whether the runtime was online when the entry was last polled. */
  wasOnlineAtPoll: boolean
  /** Value of `errorUpdateCount` at the latest success. */
  failuresBefore: number
  /** Added to a delay that the service requested, as it requests the same delay from many clients. */
  readonly jitterMs: number
}

interface PollConditions {
  readonly now: number
  readonly isOnline: boolean
  readonly intervalMultiplier?: number | undefined
  /** When the limits of the client's budget changed. */
  readonly limitsChangedAt?: number | undefined
}

const maxBackoffMs = 5 * 60_000
/** A response younger than this is not refetched when the network goes offline or online. */
const freshForMs = 5000

/**
 * The local time in milliseconds of the next poll:
 *
 * - after the interval, times the multiplier, since the latest response of any fetch;
 * - immediately when the network went offline or online, or once the response is a few seconds old;
 * - after an exponential backoff following failures;
 * - after the delay that the service requested, also if it is shorter than the interval; doubling if a short delay repeats;
 * - never (`Infinity`) after a failure while offline, and after a fatal error.
 */
export function getNextPollAt(
  { interval, state }: Pick<Pollable, 'interval' | 'state'>,
  record: Readonly<PollRecord>,
  { now, isOnline, intervalMultiplier = 1, limitsChangedAt = 0 }: PollConditions,
): number {
  if (state === undefined || interval === Infinity) {
    return Infinity
  }
  const { status, error, dataUpdatedAt, errorUpdatedAt, errorUpdateCount } = state
  const isFailing = status === 'error'
  if (isFailing && (!isOnline || isFatal(error))) {
    return Infinity
  }
  const past = (time: number) => getPast(time, now)
  // A poll without result (cancelled, or in flight) counts too; otherwise it would repeat immediately.
  const latest =
    Math.max(past(dataUpdatedAt), past(errorUpdatedAt), past(record.polledAt)) ||
    past(record.startedAt)
  // The client's own budget rejected the poll: retried as soon as the budget allows, or its limits changed.
  if (isFailing && error?.name === 'BudgetError') {
    return errorUpdatedAt <= limitsChangedAt ? latest : latest + (getRetryAfter(error) || interval)
  }
  // After a reset of the query, the count restarts at 0.
  const failures = isFailing ? Math.max(1, errorUpdateCount - record.failuresBefore) : 0
  const baseMs = interval * intervalMultiplier
  const backoffMs = Math.min(baseMs * 2 ** failures, Math.max(baseMs, maxBackoffMs))
  const delayMs =
    record.wasOnlineAtPoll === isOnline
      ? backoffMs
      : isFailing
        ? 0
        : Math.min(backoffMs, freshForMs)
  const retryAfterMs = isFailing && getRetryAfter(error)
  if (!retryAfterMs) {
    return latest + delayMs
  }
  return latest + Math.max(retryAfterMs + record.jitterMs, Math.min(delayMs, 500 * 2 ** failures))
}
