import { isObject } from '../isObject.ts'

const brand = Symbol.for('headwater.error')

/** What every error of this package is made of. */
export interface HeadwaterErrorOptions {
  /** More than the short message tells. */
  readonly details?: string | undefined
  /** What the reader can do about it. */
  readonly advice?: string | undefined
  /** What caused it. */
  readonly cause?: unknown
}

/**
 * The base of all errors of Headwater. Ask {@link isHeadwaterError} rather than `instanceof`, which fails where an app
 * carries two copies of the package; tell kinds apart by `name`.
 *
 * @example
 * import type { HeadwaterError } from '@headwater/core'
 * const text = ({ shortMessage, advice }: HeadwaterError) => `${shortMessage} ${advice ?? ''}`
 */
export class HeadwaterError extends Error {
  override name: string = 'HeadwaterError'
  /** One sentence: what happened. */
  readonly shortMessage: string
  /** More about it, if there is more. */
  readonly details: string | undefined
  /** What the reader can do about it. */
  readonly advice: string | undefined

  constructor(shortMessage: string, { details, advice, cause }: HeadwaterErrorOptions = {}) {
    super([shortMessage, details, advice].filter(Boolean).join('\n'), { cause })
    this.shortMessage = shortMessage
    this.details = details
    this.advice = advice
    Object.defineProperty(this, brand, { value: true })
  }

  /** Whether the same request may succeed later, unchanged. */
  get isRetryable(): boolean {
    return false
  }
}

/**
 * Whether a value is an error of Headwater, of whichever copy of the package.
 *
 * @param value - Anything, such as what was caught.
 * @returns True for an error of Headwater.
 * @example
 * import { isHeadwaterError } from '@headwater/core'
 * const text = (error: unknown) => (isHeadwaterError(error) ? error.shortMessage : 'Something went wrong.')
 */
export function isHeadwaterError(value: unknown): value is HeadwaterError {
  return isObject(value) && brand in value
}
