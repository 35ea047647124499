import { HeadwaterError } from './HeadwaterError.ts'

/** What is known of a refusal. */
export interface HttpErrorOptions {
  readonly url: string
  readonly status: number
  readonly code?: string | undefined
  readonly parameter?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
}

/**
 * The service answered, and refused.
 *
 * @example
 * import { HttpError } from '@headwater/core'
 * const needsKey = (error: unknown) => error instanceof HttpError && error.status === 401
 */
export class HttpError extends HeadwaterError {
  override name = 'HttpError' as const
  /** HTTP status, such as 402. */
  readonly status: number
  /** The service's code for programs, such as `CHAIN_NAME_NOT_ACCEPTED`. */
  readonly code: string | undefined
  /** The parameter that the service names, in camelCase. */
  readonly parameter: string | undefined
  /** Id of the request, to be told when asking for help. */
  readonly requestId: string | undefined
  /** How long the service asks to wait, in milliseconds from the answer. */
  readonly retryAfter: number | undefined

  /**
   * @param sentence - What the service says, or what is known without it.
   * @param options - Status, code and whatever else was told.
   */
  constructor(sentence: string, options: HttpErrorOptions) {
    const { url, status, code, requestId } = options
    super(sentence, {
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
  402: "The key's compute units are used up: top them up, then refetch.",
  403: 'Use a key that was issued for this API.',
  429: 'Ask less often; polling slows down by itself.',
}
