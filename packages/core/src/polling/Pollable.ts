import type { QueryState } from '@tanstack/query-core'

/** State of an entry that the schedule depends on. */
export type PollState = Pick<
  QueryState,
  'status' | 'error' | 'dataUpdatedAt' | 'errorUpdatedAt' | 'errorUpdateCount'
>

/** State of a query without a response. */
export const pendingState: PollState = {
  status: 'pending',
  error: null,
  dataUpdatedAt: 0,
  errorUpdatedAt: 0,
  errorUpdateCount: 0,
}

/** The option for an event after which polling resumes: the page becomes visible, or the browser is online again. */
export type ResumeOption = 'refetchOnWindowFocus' | 'refetchOnReconnect'

/**
 * What to do with a resource after such an event: `poll` as soon as the throttle allows, poll when it is `due`, which it may
 * be, or `wait` for another interval.
 */
export type Resumption = 'poll' | 'due' | 'wait'

/** An entry of the poller: a resource that is fetched repeatedly. */
export interface Pollable {
  /** Milliseconds between a response and the next poll; `Infinity` for no polling. */
  readonly interval: number
  /** Undefined while the entry must not be polled. */
  readonly state: PollState | undefined
  /** Compute units of one poll. */
  readonly cost: number
  /** What to do when the page becomes visible, or the browser is online again. Default: `due`. */
  getResumption?(option: ResumeOption): Resumption
  /** Fetches, or joins the fetch in flight, and calls `Poller.reschedule` once settled. Never rejects. */
  poll(): Promise<void>
}

/** Slows polling down, to stay within a budget. */
export interface PollThrottle {
  /** Local time in milliseconds of the latest change of the limits. Polls rejected before may be allowed since. */
  readonly changedAt: () => number
  /**
   * The factor by which all intervals are multiplied; at least 1.
   *
   * @param getDemand - Returns the compute units per minute of unthrottled polling.
   */
  getIntervalMultiplier(getDemand: () => number): number
  /**
   * The delay of a poll in milliseconds: 0 for none, `Infinity` until `Poller.pollDue` is called.
   *
   * @param cost - Compute units of the poll.
   */
  getDelay(cost: number): number
}

/** Delays polls of what the service pushes changes of, and advances those of what has changed. */
export interface ChangeSource {
  /** Returns the time to poll at instead of `dueAt`. */
  getDueAt(entry: Pollable, dueAt: number): number
  /** Called when the entries, what they fetched, or the role of this tab may have changed. */
  update(): void
  /** Called when an entry is not polled any more. */
  remove(entry: Pollable): void
  /** Reports to other tabs what is pushed. */
  reportLive(): void
}

/** Coordinates polling with other tabs, which may fetch in place of this one. */
export interface PollCoordinator {
  /** Whether this tab polls for all tabs. */
  readonly isLeader: boolean
  /** Reports to other tabs whether changes are pushed to this one, and of which subjects. */
  sendLive(isLive: boolean, subjects: Iterable<string>): void
  /** Settles once the cached responses of the other tabs have arrived; undefined afterwards. */
  readonly ready: Promise<void> | undefined
  /** Returns the time to poll at instead of `dueAt`: later, so that another tab can deliver the response. */
  deferUntil(entry: Pollable, dueAt: number): number
  /** Called when the set of polled entries may have changed. */
  onEntriesChange(): void
}
