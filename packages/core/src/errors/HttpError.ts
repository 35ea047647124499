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
export class HttpError extends BaseError<'HttpError'> {
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
    super('HttpError', message, {
      details: [`GET ${url}: ${status}`, code, requestId && `request ${requestId}`]
        .filter(Boolean)
        .join(', '),
      // The service has other codes if a chain or a token does not exist, and a proxy rejects requests by itself.
      adviceKey: ((status === 403 || status === 404) && code) || status,
      isRetryable: status === 429 || status >= 500,
    })
    this.status = status
    this.code = code
    this.parameter = options.parameter
    this.requestId = requestId
    this.retryAfter = options.retryAfter
  }
}
