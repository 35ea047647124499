import { BaseError } from './BaseError.ts'

/**
 * No response of the service contained the price of the token.
 *
 * @example
 * import { PriceUnavailableError } from '@headwater/core'
 * const isUnknown = (error: unknown) => error instanceof PriceUnavailableError
 */
export class PriceUnavailableError extends BaseError<'PriceUnavailableError'> {
  /** @param token - Chain id and address of the token. */
  constructor(token: string) {
    super('PriceUnavailableError', 'Price unavailable for this token.', { details: token })
  }
}
