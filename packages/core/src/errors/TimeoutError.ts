import { BaseError } from './BaseError.ts'

/**
 * The response did not arrive within the timeout.
 *
 * @example
 * import { TimeoutError } from '@headwater/core'
 * const waited = (error: unknown) => (error instanceof TimeoutError ? error.timeout : 0)
 */
export class TimeoutError extends BaseError<'TimeoutError'> {
  /** The timeout in milliseconds. */
  readonly timeout: number

  /**
   * @param url - The requested URL.
   * @param timeout - The timeout in milliseconds.
   */
  constructor(url: string, timeout: number) {
    super('TimeoutError', `The service did not respond within ${timeout} ms.`, {
      details: `GET ${url}`,
      isRetryable: true,
    })
    this.timeout = timeout
  }
}
