import type { Client } from '../client/Client.ts'

/**
 * The budget of a client, and its effect.
 *
 * @example
 * import type { BudgetState } from '@headwater/core/inspect'
 * const isSlowed = ({ intervalMultiplier }: BudgetState) => intervalMultiplier > 1
 */
export interface BudgetState {
  /** Compute units in any 60 seconds; `Infinity` for no limit. */
  readonly perMinute: number
  /** Compute units in total; `Infinity` for no limit. */
  readonly total: number
  /** The factor by which the intervals of all polls are lengthened; 1 for none. */
  readonly intervalMultiplier: number
  /** Number of requests that wait for units. */
  readonly waiting: number
}

/**
 * The budget of a client and its effect.
 *
 * @param client - The client.
 * @returns Undefined if `setBudget` was not called.
 * @example
 * import { createClient } from '@headwater/core'
 * import { getBudgetState } from '@headwater/core/inspect'
 * const perMinute = getBudgetState(createClient({ baseUrl: 'https://example.org' }))?.perMinute
 */
export function getBudgetState({ streams, usageTracker }: Client): BudgetState | undefined {
  const { limiter } = usageTracker
  if (!limiter) {
    return undefined
  }
  const { perMinute, total } = limiter.limits
  const { intervalMultiplier } = streams.poller
  return { perMinute, total, intervalMultiplier, waiting: limiter.queue.size }
}
