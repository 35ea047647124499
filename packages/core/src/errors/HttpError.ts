import { BaseError } from './BaseError.ts'

/** Fields of an error response. */
export interface HttpErrorOptions {
  readonly url: string
  readonly status: number
  readonly code?: string | undefined
  readonly parameter?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
}

/**
 * The service responded with an error status.
 *
 * @example
 * import { HttpError } from '@headwater/core'
 * const needsKey = (error: unknown) => error instanceof HttpError && error.status === 401
 */
export class HttpError extends BaseError {
  override name = 'HttpError' as const
  /** HTTP status, such as 402. */
  readonly status: number
  /** Stable error code of the service, such as `CHAIN_NAME_NOT_ACCEPTED`. */
  readonly code: string | undefined
  /** The invalid parameter, in camelCase. */
  readonly parameter: string | undefined
  /** Id of the request. Include it in support requests. */
  readonly requestId: string | undefined
  /** Delay that the service requested, in milliseconds after the response. */
  readonly retryAfter: number | undefined

  /**
   * @param message - Message of the service, or a generic one.
   * @param options - Status, code and other fields of the response.
   */
  constructor(message: string, options: HttpErrorOptions) {
    const { url, status, code, requestId } = options
    super(message, {
      details: [`GET ${url}: ${status}`, code, requestId && `request ${requestId}`]
        .filter(Boolean)
        .join(', '),
      advice: advice[status],
    })
    this.status = status
    this.code = code
    this.parameter = options.parameter
    this.requestId = requestId
    this.retryAfter = options.retryAfter
  }

  override get isRetryable(): boolean {
    return this.status === 429 || this.status >= 500
  }
}

const advice: Readonly<Record<number, string>> = {
  401: 'Pass a valid `apiKey` to `createClient`.',
  402: "The API key's compute units are used up. Top up the key, then refetch.",
  403: 'Use an API key that was issued for this API.',
  429: 'Send fewer requests. Polling slows down automatically.',
}
