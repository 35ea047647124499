import { isObject } from '../isObject.ts'
import { advice } from './advice.ts'

const brand = Symbol.for('headwater.error')

/** Parts of an error. */
export interface BaseErrorOptions {
  /** More specific than the short message. */
  readonly details?: string | undefined
  /** Key of a more specific advice than that of the name of the error. */
  readonly adviceKey?: number | string
  readonly cause?: unknown
  readonly isRetryable?: boolean
}

/**
 * Base class of all errors. To handle errors, use `isHeadwaterError` and the `name`: `instanceof` fails across two copies of
 * the package.
 *
 * @example
 * import type { BaseError } from '@headwater/core'
 * const text = ({ shortMessage, advice }: BaseError) => `${shortMessage} ${advice ?? ''}`
 */
export abstract class BaseError<Name extends string = string> extends Error {
  override readonly name: Name
  /** One sentence that describes the error. */
  readonly shortMessage: string
  /** More specific than the short message, if available. */
  readonly details: string | undefined
  /** What the developer or user can do about it; undefined in production builds. */
  readonly advice: string | undefined
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean

  constructor(
    name: Name,
    shortMessage: string,
    { details, adviceKey, cause, isRetryable = false }: BaseErrorOptions = {},
  ) {
    // Bundlers replace the expression, and remove the texts for production.
    const text =
      process.env.NODE_ENV === 'production'
        ? undefined
        : (advice[adviceKey ?? name] ?? advice[name])
    super([shortMessage, details, text].filter(Boolean).join('\n'), { cause })
    this.name = name
    this.shortMessage = shortMessage
    this.details = details
    this.advice = text
    this.isRetryable = isRetryable
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Whether a value is an error of any copy of the package. */
export function isBaseError(value: unknown): value is BaseError {
  return isObject(value) && brand in value
}
