import { HeadwaterError } from './HeadwaterError.ts'

/**
 * The service answered with success, but with something that is no answer: HTML, broken JSON, a missing field.
 *
 * @example
 * import { MalformedAnswerError } from '@headwater/core'
 * const isWrongUrl = (error: unknown) => error instanceof MalformedAnswerError
 */
export class MalformedAnswerError extends HeadwaterError {
  override name = 'MalformedAnswerError' as const

  /**
   * @param url - What was asked.
   * @param details - What is wrong with the answer.
   * @param cause - What was thrown when it was read, if anything.
   */
  constructor(url: string, details: string, cause?: unknown) {
    super('The service gave an answer that cannot be read.', {
      details: `GET ${url}: ${details}`,
      advice: 'Check that `baseUrl` leads to the service itself.',
      cause,
    })
  }
}
