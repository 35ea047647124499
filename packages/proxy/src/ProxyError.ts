/** An error response of the proxy. Its message is sent to visitors; its cause is only reported to the app. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly status: number
  /** Stable identifier, such as `UPSTREAM_UNREACHABLE`. */
  readonly code: string
  /** The invalid parameter, by its name in the request. */
  readonly param: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      readonly param?: string | undefined
      readonly headers?: Readonly<Record<string, string>>
      /** Reported to the app. Undefined for errors of the visitor. */
      readonly cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.code = code
    this.param = options.param
    this.headers = options.headers ?? {}
  }
}

/** The error of an option that only the operator of the app can correct. */
export function notConfigured(reason: string): ProxyError {
  const message = 'The proxy is not configured: see the log of its server'
  // Retried in a minute.
  return new ProxyError(500, 'PROXY_NOT_CONFIGURED', message, {
    headers: { 'Retry-After': '60' },
    cause: new TypeError(`createProxy: ${reason}`),
  })
}

/** The error in the format of the service, of which every client knows the fields. */
export function toErrorResponse(
  { status, code, message, param, headers }: ProxyError,
  requestId: string,
): Response {
  const body = { error: message, message, code, param, request_id: requestId }
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
      'X-Compute-Units-Cost': '0',
      'X-Request-Id': requestId,
      ...headers,
    },
  })
}
