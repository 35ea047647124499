import { HeadwaterError } from './HeadwaterError.ts'

/**
 * No answer came: the service is down, the network is away, or the browser refused (CORS).
 *
 * @example
 * import { NetworkError } from '@headwater/core'
 * const isOffline = (error: unknown) => error instanceof NetworkError
 */
export class NetworkError extends HeadwaterError {
  override name = 'NetworkError' as const

  /**
   * @param url - What was asked.
   * @param cause - What `fetch` threw.
   */
  constructor(url: string, cause: unknown) {
    super('The service cannot be reached.', {
      details: `GET ${url}: ${cause instanceof Error ? cause.message : String(cause)}`,
      advice:
        'Check the network, that the service runs at `baseUrl`, and that it allows this origin.',
      cause,
    })
  }

  override get isRetryable(): boolean {
    return true
  }
}
