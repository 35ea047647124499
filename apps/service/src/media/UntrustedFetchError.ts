/** Why a stranger's URL was not read. */
export type UntrustedFetchErrorKind =
  /** The text is no URL, or one written to mislead: user names, odd IPv4 forms, a trailing dot, another scheme. */
  | 'url'
  /** A port where no web server is expected. */
  | 'port'
  /** The address, after DNS, is not one of the public internet. */
  | 'address'
  | 'too-many-redirects'
  /** More bytes than allowed, as sent or as decompressed. */
  | 'too-large'
  /** An encoding that is not read, or a body that is not what it says. */
  | 'encoding'
  /** The server answered, but not with what was asked for. */
  | 'status'
  /** What was read is not of a kind that is wanted. */
  | 'type'
  | 'timeout'
  /** Too many others wait already. */
  | 'busy'
  /** No connection, or it broke. */
  | 'unreachable'

const passing: ReadonlySet<UntrustedFetchErrorKind> = new Set(['timeout', 'busy', 'unreachable'])

/** A stranger's URL was not read. The message tells why, to the log and never to a client. */
export class UntrustedFetchError extends Error {
  override readonly name = 'UntrustedFetchError'
  readonly refusal: UntrustedFetchErrorKind
  /** Whether the same URL may well be readable later. */
  readonly retryable: boolean

  constructor(
    refusal: UntrustedFetchErrorKind,
    message: string,
    options: ErrorOptions & { retryable?: boolean } = {},
  ) {
    super(message, options)
    this.refusal = refusal
    this.retryable = options.retryable ?? passing.has(refusal)
  }
}
