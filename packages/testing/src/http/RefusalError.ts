/** Why a request is not answered: what the service would say. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError'
  readonly status: number
  /** For programs, such as `INVALID_PARAMETER`. */
  readonly code: string
  /** The parameter that is wrong, as it is called on the wire. */
  readonly param: string | undefined
  /** Headers beside those of every answer. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    { param, headers = {} }: { param?: string; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
    this.headers = headers
  }
}
