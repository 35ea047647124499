import { BaseError } from './BaseError.ts'

/**
 * Code outside of Headwater failed: a `select` function, a custom `fetch`, a persister. Its error is the `cause`.
 *
 * @example
 * import { UnexpectedError } from '@headwater/core'
 * const getCause = (error: unknown) => (error instanceof UnexpectedError ? error.cause : error)
 */
export class UnexpectedError extends BaseError<'UnexpectedError'> {
  /** @param cause - The error of the other code. */
  constructor(cause: unknown) {
    super('UnexpectedError', 'Code outside of Headwater failed.', {
      details: cause instanceof Error ? cause.message : String(cause),
      cause,
    })
  }
}
