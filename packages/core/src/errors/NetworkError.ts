import { BaseError } from './BaseError.ts'

/**
 * The request failed without a response: the service is down, the network is offline, or the browser blocked it (CORS).
 *
 * @example
 * import { NetworkError } from '@headwater/core'
 * const isOffline = (error: unknown) => error instanceof NetworkError
 */
export class NetworkError extends BaseError<'NetworkError'> {
  /**
   * @param url - The requested URL.
   * @param cause - The error of `fetch`.
   */
  constructor(url: string, cause: unknown) {
    super('NetworkError', 'The service cannot be reached.', {
      details: `GET ${url}: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
      isRetryable: true,
    })
  }
}
