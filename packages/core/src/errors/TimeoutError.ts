import { HeadwaterError } from './HeadwaterError.ts'

/**
 * The whole answer did not come in time.
 *
 * @example
 * import { TimeoutError } from '@headwater/core'
 * const waited = (error: unknown) => (error instanceof TimeoutError ? error.timeout : 0)
 */
export class TimeoutError extends HeadwaterError {
  override name = 'TimeoutError' as const
  /** The time that was allowed, in milliseconds. */
  readonly timeout: number

  /**
   * @param url - What was asked.
   * @param timeout - The time that was allowed, in milliseconds.
   */
  constructor(url: string, timeout: number) {
    super(`The service did not answer within ${timeout} ms.`, {
      details: `GET ${url}`,
      advice: 'Try again, or allow more with `timeout`.',
    })
    this.timeout = timeout
  }

  override get isRetryable(): boolean {
    return true
  }
}
