import type { BudgetError } from '../errors/BudgetError.ts'

/**
 * How many compute units a client may spend. Where they do not suffice, polling slows down first, then work in the
 * background waits, and at last what the user asked for fails with a {@link BudgetError}.
 *
 * @example
 * import { createClient, type Budget } from '@headwater/core'
 * const budget: Budget = { perMinute: 60, onExhausted: ({ shortMessage }) => console.warn(shortMessage) }
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key', budget })
 * client.setBudget({ ...budget, perMinute: 120 })
 */
export interface Budget {
  /**
   * Units in any 60 seconds; 0 or more. Polls fill up to four fifths of them, work in the background three fifths, so
   * that some are left for what the user asks. Default: any number.
   */
  readonly perMinute?: number
  /** Units in all, from the making of the client on; 0 or more. Default: any number. */
  readonly total?: number
  /**
   * Told when something that the user asked for was refused, or when polls and work in the background end because
   * `total` is spent or `perMinute` is less than one of them costs. Told once, until something that the user asks fits
   * again or the budget is changed.
   */
  readonly onExhausted?: (error: BudgetError) => void
}
