import { HeadwaterError } from './HeadwaterError.ts'

/**
 * The client's own budget has not enough compute units left, so nothing was sent.
 *
 * @example
 * import { BudgetError } from '@headwater/core'
 * const seconds = (error: unknown) =>
 *   error instanceof BudgetError && error.isRetryable ? Math.ceil(error.retryAfter! / 1000) : undefined
 */
export class BudgetError extends HeadwaterError {
  override name = 'BudgetError' as const
  /** Compute units that the request would have cost. */
  readonly cost: number
  /** After how many milliseconds they are there at the latest; undefined when waiting does not help. */
  readonly retryAfter: number | undefined

  /**
   * @param cost - Compute units that the request would have cost.
   * @param wait - After how many milliseconds they are there; `Infinity` for never.
   */
  constructor(cost: number, wait: number) {
    super('The budget of compute units is spent.', {
      advice: 'Try again later if `retryAfter` says when, or allow more with `setBudget`.',
    })
    this.cost = cost
    this.retryAfter = wait < Infinity ? wait : undefined
  }

  override get isRetryable(): boolean {
    return this.retryAfter !== undefined
  }
}
