import { BaseError, isBaseError } from './BaseError.ts'

/**
 * The client was destroyed while a request was in flight or queued, or before a stream had data.
 *
 * @example
 * import { DestroyedError } from '@headwater/core'
 * const isExpected = (error: unknown) => error instanceof DestroyedError
 */
export class DestroyedError extends BaseError<'DestroyedError'> {
  constructor() {
    super('DestroyedError', 'The client was destroyed.')
  }
}

/** Whether a client was destroyed, possibly another client on the same cache. */
export function isDestroyedError(error: unknown): error is DestroyedError {
  return isBaseError(error) && error.name === 'DestroyedError'
}
