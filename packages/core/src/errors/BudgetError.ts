import { HeadwaterError } from './HeadwaterError.ts'

/** What a budget refused. */
export interface BudgetErrorOptions {
  readonly cost: number
  readonly retryAfter: number | undefined
}

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

  /** @param options - Cost, and how long to wait. */
  constructor({ cost, retryAfter }: BudgetErrorOptions) {
    super('The budget of compute units is spent.', {
      details: `Cost: ${cost}`,
      advice:
        retryAfter === undefined
          ? 'Allow more with `setBudget` of the client.'
          : `Try again in ${Math.ceil(retryAfter / 1000)} s, or allow more with \`setBudget\` of the client.`,
    })
    this.cost = cost
    this.retryAfter = retryAfter
  }

  override get isRetryable(): boolean {
    return this.retryAfter !== undefined
  }
}
