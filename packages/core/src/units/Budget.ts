import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { BudgetError } from '../errors/BudgetError.ts'

/**
 * How many compute units a client may spend. Where they do not suffice, polling slows down first, then work in the
 * background waits, and at last what the user asked for fails with a {@link BudgetError}.
 */
export interface Budget {
  /**
   * Units in any 60 seconds; 0 or more. Polls take up to four fifths of them, work in the background three fifths, so
   * that some are left for what the user asks. Default: any number.
   */
  readonly perMinute?: number
  /** Units in all, from the making of the client on; 0 or more. Default: any number. */
  readonly total?: number
  /**
   * Told when something that the user asked for was refused, or when nothing is polled any more because `total` is
   * spent or `perMinute` is less than a poll costs. Told once, until a request fits again or the budget is changed.
   */
  readonly onExhausted?: (error: BudgetError) => void
}

/**
 * Judges a budget.
 *
 * @throws InvalidParameterError when a number is not 0 or more.
 */
export function checkBudget(budget: Budget): Budget {
  for (const name of ['perMinute', 'total'] as const) {
    const { [name]: units = 0 } = budget
    if (!(units >= 0)) throw new InvalidParameterError(`budget.${name}`, 'must be 0 or more', units)
  }
  return budget
}
