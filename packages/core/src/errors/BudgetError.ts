import { BaseError } from './BaseError.ts'

/**
 * The client's budget does not allow the request, so it was not sent.
 *
 * @example
 * import { BudgetError } from '@headwater/core'
 * const seconds = (error: unknown) =>
 *   error instanceof BudgetError && error.isRetryable ? Math.ceil(error.retryAfter! / 1000) : undefined
 */
export class BudgetError extends BaseError<'BudgetError'> {
  /** Estimated compute units of the request. */
  readonly cost: number
  /** Milliseconds until the budget allows the request; undefined if it never will. */
  readonly retryAfter: number | undefined

  /**
   * @param cost - Estimated compute units of the request.
   * @param retryAfterMs - Milliseconds until the budget allows the request; `Infinity` for never.
   */
  constructor(cost: number, retryAfterMs: number) {
    super('BudgetError', 'The request exceeds the compute unit budget.', {
      isRetryable: retryAfterMs < Infinity,
    })
    this.cost = cost
    this.retryAfter = retryAfterMs < Infinity ? retryAfterMs : undefined
  }
}
