/** Why an untrusted URL was not read. */
export type UntrustedFetchErrorKind =
  /** Not a URL, or one that is written to mislead: user names, odd IPv4 forms, a trailing dot, another scheme. */
  | 'url'
  /** A port on which no web server is expected. */
  | 'port'
  /** The resolved address is not a public address. */
  | 'address'
  | 'too-many-redirects'
  /** The body exceeds the limit, as sent or decompressed. */
  | 'too-large'
  /** The content encoding is not supported or not valid. */
  | 'encoding'
  /** The server responded with a status other than 200. */
  | 'status'
  /** The content is not of a supported type. */
  | 'type'
  | 'timeout'
  /** Too many requests of this service are queued. */
  | 'busy'
  /** The connection failed or was closed. */
  | 'unreachable'

const retryableKinds: ReadonlySet<UntrustedFetchErrorKind> = new Set([
  'timeout',
  'busy',
  'unreachable',
])

/** An untrusted URL was not read. The message is for the log only: clients do not receive it. */
export class UntrustedFetchError extends Error {
  override readonly name = 'UntrustedFetchError'
  readonly kind: UntrustedFetchErrorKind
  /** Whether a retry may succeed. */
  readonly retryable: boolean

  constructor(
    kind: UntrustedFetchErrorKind,
    message: string,
    options: ErrorOptions & { retryable?: boolean } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.retryable = options.retryable ?? retryableKinds.has(kind)
  }
}
