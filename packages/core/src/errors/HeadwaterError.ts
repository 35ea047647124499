import { isBaseError } from './BaseError.ts'
import type { BudgetError } from './BudgetError.ts'
import type { DestroyedError } from './DestroyedError.ts'
import type { HttpError } from './HttpError.ts'
import type { InvalidParameterError } from './InvalidParameterError.ts'
import type { InvalidResponseError } from './InvalidResponseError.ts'
import type { NetworkError } from './NetworkError.ts'
import type { PriceUnavailableError } from './PriceUnavailableError.ts'
import type { TimeoutError } from './TimeoutError.ts'
import { UnexpectedError } from './UnexpectedError.ts'

/**
 * Any error of Headwater, discriminated by `name`.
 *
 * @example
 * import type { HeadwaterError } from '@headwater/core'
 * const text = (error: HeadwaterError) =>
 *   error.name === 'HttpError' ? `${error.status} ${error.code ?? ''}` : error.shortMessage
 */
export type HeadwaterError =
  | BudgetError
  | DestroyedError
  | HttpError
  | InvalidParameterError
  | InvalidResponseError
  | NetworkError
  | PriceUnavailableError
  | TimeoutError
  | UnexpectedError

/**
 * Whether a value is an error of Headwater, from any copy of the package.
 *
 * @param value - Any value, such as a caught error.
 * @returns True for an error of Headwater.
 * @example
 * import { isHeadwaterError } from '@headwater/core'
 * const text = (error: unknown) => (isHeadwaterError(error) ? error.shortMessage : 'Something went wrong.')
 */
export function isHeadwaterError(value: unknown): value is HeadwaterError {
  return isBaseError(value)
}

/** Wraps an error of other code, so that snapshots only carry Headwater errors. */
export function toHeadwaterError(error: unknown): HeadwaterError {
  return isHeadwaterError(error) ? error : new UnexpectedError(error)
}
