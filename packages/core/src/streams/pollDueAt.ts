import { retryAfterOf } from '../errors/retryAfterOf.ts'
import { stopsPolling } from '../errors/stopsPolling.ts'
import type { Pollable } from './Pollable.ts'

/** What the poller remembers of a question. */
export interface PollMemory {
  /** When polling began, by the local clock in milliseconds. */
  readonly since: number
  /** When it was polled last; 0 for never. */
  polledAt: number
  /** Whether there was a network then. */
  wasOnline: boolean
  /** Failures up to the newest success. */
  failuresBefore: number
  /** How much later than a time that the service named, in milliseconds: many clients were told the same. */
  readonly jitter: number
}

/** However often a question failed, it is tried again after this many milliseconds (or its interval, if longer). */
const longestBackoff = 5 * 60_000
/** An answer of so many milliseconds ago need not be asked for again because the network went or came. */
const freshFor = 5000

/**
 * When a question is to be asked again, by the local clock in milliseconds: its interval, stretched, after the newest
 * answer, whoever asked for that; when the network went or came at once, or as soon as that answer is a few seconds old;
 * later after failures, doubling each time; after the time that the service named, be it shorter or longer, doubling
 * where that is short; never (`Infinity`) after a failure without a network, and while a refused key or parameter stays
 * what it is.
 */
export function pollDueAt(
  { interval, state }: Pick<Pollable, 'interval' | 'state'>,
  memory: PollMemory,
  now: number,
  isOnline: boolean,
  stretch = 1,
  limitedSince = 0,
): number {
  if (state === undefined || interval === Infinity) return Infinity
  const { status, error, dataUpdatedAt, errorUpdatedAt, errorUpdateCount } = state
  if (status === 'success') memory.failuresBefore = errorUpdateCount
  const isFailing = status === 'error'
  if (isFailing && (!isOnline || stopsPolling(error))) return Infinity
  // Of a clock that was set back, or of another one: each such time by itself says nothing.
  const past = (time: number) => (time > now ? 0 : time)
  // A poll that brought nothing (cancelled, or still under way) counts too, else it would be made again at once.
  const newest =
    Math.max(past(dataUpdatedAt), past(errorUpdatedAt), past(memory.polledAt)) || past(memory.since)
  // The client's own budget refused, which says nothing of the service: again as soon as it allows, or was changed.
  if (isFailing && error?.name === 'BudgetError') {
    return errorUpdatedAt <= limitedSince ? newest : newest + (retryAfterOf(error) || interval)
  }
  // A query that was reset counts from 0 again.
  const failures = isFailing ? Math.max(1, errorUpdateCount - memory.failuresBefore) : 0
  const stretched = interval * stretch
  const backoff = Math.min(stretched * 2 ** failures, Math.max(stretched, longestBackoff))
  const wait = memory.wasOnline === isOnline ? backoff : isFailing ? 0 : Math.min(backoff, freshFor)
  const asked = isFailing && retryAfterOf(error)
  if (!asked) return newest + wait
  // The service knows better than the interval, until it has named a short wait again and again.
  return newest + Math.max(asked + memory.jitter, Math.min(wait, 500 * 2 ** failures))
}
