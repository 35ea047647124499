/**
 * A request whose parameters are invalid.
 *
 * @example
 * import { InvalidRequestError } from '@headwater/contract/schemas'
 * const error = new InvalidRequestError(400, 'INVALID_PARAMETER', 'limit must be at least 1', 'limit')
 */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'
  readonly status: 400 | 404
  /** Stable code, such as `INVALID_PARAMETER`. */
  readonly code: string
  /** The invalid parameter, by its name on the wire. */
  readonly param: string

  /** @param message - Human-readable message, which is part of the response. */
  constructor(status: 400 | 404, code: string, message: string, param: string) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
  }
}
