import { isObject } from '../isObject.ts'

const brand = Symbol.for('headwater.error')

/** Parts of an error. */
export interface BaseErrorOptions {
  /** More specific than the short message. */
  readonly details?: string | undefined
  /** What the developer or user can do about it. */
  readonly advice?: string | undefined
  readonly cause?: unknown
}

/**
 * Base class of all errors. To handle errors, use `isHeadwaterError` and the `name`: `instanceof` fails across two copies of
 * the package.
 *
 * @example
 * import type { BaseError } from '@headwater/core'
 * const text = ({ shortMessage, advice }: BaseError) => `${shortMessage} ${advice ?? ''}`
 */
export abstract class BaseError extends Error {
  abstract override readonly name: string
  /** One sentence that describes the error. */
  readonly shortMessage: string
  /** More specific than the short message, if available. */
  readonly details: string | undefined
  /** What the developer or user can do about it. */
  readonly advice: string | undefined

  constructor(shortMessage: string, { details, advice, cause }: BaseErrorOptions = {}) {
    super([shortMessage, details, advice].filter(Boolean).join('\n'), { cause })
    this.shortMessage = shortMessage
    this.details = details
    this.advice = advice
    Object.defineProperty(this, brand, { value: true })
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return false
  }
}

/** Whether a value is an error of any copy of the package. */
export function isBaseError(value: unknown): value is BaseError {
  return isObject(value) && brand in value
}
