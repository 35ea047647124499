import { BaseError } from './BaseError.ts'

/**
 * The request failed without a response: the service is down, the network is offline, or the browser blocked it (CORS).
 *
 * @example
 * import { NetworkError } from '@headwater/core'
 * const isOffline = (error: unknown) => error instanceof NetworkError
 */
export class NetworkError extends BaseError {
  override name = 'NetworkError' as const

  /**
   * @param url - The requested URL.
   * @param cause - The error of `fetch`.
   */
  constructor(url: string, cause: unknown) {
    super('The service cannot be reached.', {
      details: `GET ${url}: ${cause instanceof Error ? cause.message : String(cause)}`,
      advice: 'Check the network, that the service runs at `baseUrl`, and its CORS headers.',
      cause,
    })
  }

  override get isRetryable(): boolean {
    return true
  }
}
