/** Why a request is not answered, told to whoever sent it: the sentence and the code travel in the answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 414 | 429 | 503
  /** For programs, such as `INVALID_PARAMETER`. */
  readonly code: string
  /** The parameter that is wrong, as it is called on the wire. */
  readonly param: string | undefined
  /** When it makes sense to ask again, in whole seconds. */
  readonly retryAfterSeconds: number | undefined

  /** @param message - a sentence for people, telling nothing of the service's inside. */
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
