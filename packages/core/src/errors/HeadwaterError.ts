import { isObject } from '../isObject.ts'

const brand = Symbol.for('headwater.error')

/** Parts of an error. */
export interface HeadwaterErrorOptions {
  /** More specific than the short message. */
  readonly details?: string | undefined
  /** What the developer or user can do about it. */
  readonly advice?: string | undefined
  readonly cause?: unknown
}

/**
 * Base class of all errors. Use {@link isHeadwaterError} instead of `instanceof`, which fails across two copies of the
 * package; distinguish kinds by `name`.
 *
 * @example
 * import type { HeadwaterError } from '@headwater/core'
 * const text = ({ shortMessage, advice }: HeadwaterError) => `${shortMessage} ${advice ?? ''}`
 */
export class HeadwaterError extends Error {
  override name: string = 'HeadwaterError'
  /** One sentence that describes the error. */
  readonly shortMessage: string
  /** More specific than the short message, if available. */
  readonly details: string | undefined
  /** What the developer or user can do about it. */
  readonly advice: string | undefined

  constructor(shortMessage: string, { details, advice, cause }: HeadwaterErrorOptions = {}) {
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
  return isObject(value) && brand in value
}

/** Wraps an error of other code (a `select` function, a persister), so that snapshots only carry Headwater errors. */
export function toHeadwaterError(error: unknown): HeadwaterError {
  if (isHeadwaterError(error)) {
    return error
  }
  return new HeadwaterError('Code outside of Headwater failed.', {
    details: error instanceof Error ? error.message : String(error),
    advice: 'See `cause`.',
    cause: error,
  })
}
