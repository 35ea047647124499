/**
 * Why a request is refused before it is answered: what is wrong with its parameters.
 *
 * @example
 * import { InvalidRequestError } from '@headwater/contract/schemas'
 * const error = new InvalidRequestError(400, 'INVALID_PARAMETER', 'limit must be at least 1', 'limit')
 */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'
  readonly status: 400 | 404
  /** For programs, such as `INVALID_PARAMETER`. */
  readonly code: string
  /** The parameter that is wrong, as it is called on the wire. */
  readonly param: string

  /** @param message - A sentence for people, which travels in the answer. */
  constructor(status: 400 | 404, code: string, message: string, param: string) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
  }
}
