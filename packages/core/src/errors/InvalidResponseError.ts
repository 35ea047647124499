import { BaseError } from './BaseError.ts'

/**
 * The service responded with success, but the body is invalid: HTML, malformed JSON, a missing field.
 *
 * @example
 * import { InvalidResponseError } from '@headwater/core'
 * const isWrongUrl = (error: unknown) => error instanceof InvalidResponseError
 */
export class InvalidResponseError extends BaseError<'InvalidResponseError'> {
  /**
   * @param url - The requested URL.
   * @param details - What is invalid.
   * @param cause - The error of the JSON parser, if any.
   */
  constructor(url: string, details: string, cause?: unknown) {
    super('InvalidResponseError', 'The service returned an invalid response.', {
      details: `GET ${url}: ${details}`,
      cause,
    })
  }
}
