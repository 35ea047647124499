/** An error response: status, code and message are sent to the client. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 499, which is not sent: the client has disconnected. */
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 414 | 429 | 499 | 503
  /** Stable identifier, such as `INVALID_PARAMETER`. */
  readonly code: string
  /** The invalid parameter, by its name in the request. */
  readonly param: string | undefined
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfterSeconds: number | undefined

  /** @param message - a sentence for people that reveals no internals of the service. */
  constructor(
    status: ApiError['status'],
    code: string,
    message: string,
    options: ErrorOptions & { param?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.param = options.param
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
