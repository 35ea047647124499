import type { QueryState } from '@tanstack/query-core'

/** How a question stands, as far as it matters for when to ask it again. */
export type PolledState = Pick<
  QueryState,
  'status' | 'error' | 'dataUpdatedAt' | 'errorUpdatedAt' | 'errorUpdateCount'
>

/** A question that is asked again and again. */
export interface Pollable {
  /** Milliseconds between an answer and the next poll; `Infinity` for never. */
  readonly interval: number
  /** What came of it so far; undefined while it is not to be polled. */
  readonly state: PolledState | undefined
  /** Compute units that one poll costs. */
  readonly cost: number
  /** Asks, or joins what is under way, and tells the poller's `update` when it is settled. Never rejects. */
  refetch(): Promise<void>
}

/** What holds polling back: a budget, another tab that polls. */
export interface PollLimit {
  /** Since when it is what it is, by the local clock in milliseconds: what it refused before may be let through now. */
  readonly changedAt: () => number
  /**
   * By how much all intervals are multiplied; at least 1.
   *
   * @param demand - Tells how many compute units a minute polling wants to spend.
   */
  stretch(demand: () => number): number
  /**
   * For how many milliseconds a poll is to be held back: 0 for not at all, `Infinity` until `reconsider` is called.
   *
   * @param cost - Compute units of the poll.
   */
  holdFor(cost: number): number
}

/** Others who may ask in our place: another tab of the app. */
export interface Deputy {
  /** Settles when it is known what the others know, which need not be asked; undefined when that is known. */
  readonly ready: Promise<void> | undefined
  /** When to ask here what is due then, by the local clock: later, so that the others may bring the answer. */
  postpone(entry: Pollable, dueAt: number): number
  /** To be called when it may have changed what is polled. */
  changed(): void
}
