import type { OperationName } from '@headwater/contract'
import type { BudgetError } from '../errors/BudgetError.ts'

/**
 * Limits of the compute units that a client spends. When they run short, polling slows down first, then background requests
 * wait, and finally requests of the user fail with a {@link BudgetError}.
 *
 * @example
 * import { createClient, setBudget, type Budget } from '@headwater/core'
 * const budget: Budget = { perMinute: 60, onExhausted: ({ shortMessage }) => console.warn(shortMessage) }
 * setBudget(createClient({ baseUrl: 'https://example.org', apiKey: 'key' }), budget)
 */
export interface Budget {
  /**
   * Units in any 60 seconds; at least 0. Polls use up to four fifths of them and background requests three fifths, so that
   * some remain for requests of the user. Default: unlimited.
   */
  readonly perMinute?: number | undefined
  /** Total units since the client was created; at least 0. Default: unlimited. */
  readonly total?: number | undefined
  /**
   * Called when a request of the user was rejected, or when polls and background requests stop because `total` is spent or
   * `perMinute` is less than one of them costs. Called once, until a request of the user is allowed again or the budget
   * changes.
   */
  readonly onExhausted?: ((error: BudgetError) => void) | undefined
}

/**
 * Compute units that a client has spent.
 *
 * @example
 * import { createClient, type Usage } from '@headwater/core'
 * const show = ({ spent, remaining }: Usage) => console.log(`${spent} spent, ${remaining ?? '?'} left`)
 * createClient({ baseUrl: 'https://example.org', apiKey: 'key' }).usage$.subscribe(show)
 */
export interface Usage {
  /** Total since the client was created. */
  readonly spent: number
  /** By operation; operations without units are absent. */
  readonly byOperation: Readonly<Partial<Record<OperationName, number>>>
  /** By minute of the local clock, oldest first, without empty minutes. The latest 60 at most. */
  readonly byMinute: readonly UsageMinute[]
  /** Remaining quota of the API key, as of the latest response; undefined if the service does not report it. */
  readonly remaining: number | undefined
}

/**
 * Compute units of one minute.
 *
 * @example
 * import type { UsageMinute } from '@headwater/core'
 * const row = ({ startedAt, spent }: UsageMinute) => [new Date(startedAt).toLocaleTimeString(), spent]
 */
export interface UsageMinute {
  /** Start of the minute, local time in milliseconds. */
  readonly startedAt: number
  /** Compute units. */
  readonly spent: number
}
