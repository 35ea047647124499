import { notConfigured, ProxyError } from '../ProxyError.ts'

const maxMessageLength = 300
/** Error bodies are sentences. */
const maxBodyBytes = 65_536

/**
 * Converts an error response of the service to that of the proxy: errors of the visitor's request keep status, code and
 * message, as the contract specifies them. Errors that concern the app's key or the service become errors of a gateway, which
 * clients retry.
 *
 * @param method - The method of the request.
 * @param secrets - Texts that no message may contain.
 */
export async function parseErrorResponse(
  response: Response,
  method: 'GET' | 'HEAD',
  secrets: readonly string[],
): Promise<ProxyError> {
  const { status, headers } = response
  const body = parseObject(await readText(response))
  const inner = toObject(body.error)
  const text = toText(body.error) ?? toText(inner.message) ?? toText(body.message)
  const code = toCode(body.code) ?? toCode(inner.code)
  const after = parseRetryAfter(headers)
  const isSecret = secrets.some((secret) => text?.includes(secret))
  const message = isSecret ? undefined : text?.slice(0, maxMessageLength)
  const details = [status, code, message].filter(Boolean).join(', ')
  const cause = new Error(`The service responded with ${details}`)

  switch (status) {
    case 400:
    case 404: {
      // The proxy requests only paths of the API.
      if (code === 'NOT_FOUND') {
        return notConfigured(`${cause.message}: check that baseUrl is without \`/v1\``)
      }
      // Without a body of the API it is of another server.
      if (!text && status === 404 && method === 'GET') {
        break
      }
      const param = toText(body.param) ?? toText(inner.param) ?? ''
      return new ProxyError(
        status,
        code ?? (status === 400 ? 'INVALID_PARAMETER' : 'NOT_FOUND'),
        message ?? (status === 400 ? 'A parameter is invalid' : 'Not found'),
        { param: /^[a-z_]{1,64}$/.test(param) ? param : undefined },
      )
    }
    case 401:
    case 403:
      // Retried in a minute, as only the operator of the app can correct it.
      return new ProxyError(502, 'UPSTREAM_KEY_REJECTED', 'The service is not available', {
        headers: { 'Retry-After': '60' },
        cause: new Error(`${cause.message}: check the apiKey`),
      })
    case 402:
      return new ProxyError(402, 'UNITS_EXHAUSTED', 'The compute units of the app are used up', {
        cause,
      })
    case 429:
      return new ProxyError(429, 'RATE_EXCEEDED', 'The app sends too many requests', {
        headers: { 'Retry-After': '1', ...after },
        cause,
      })
    case 503:
      return new ProxyError(
        status,
        code ?? 'UPSTREAM_UNAVAILABLE',
        message ?? 'The service is not available',
        { headers: after, cause },
      )
    case 504:
      return new ProxyError(504, 'UPSTREAM_TIMEOUT', 'The service did not respond in time', {
        cause,
      })
  }
  return new ProxyError(502, 'UPSTREAM_ERROR', 'The service failed to respond', {
    headers: after,
    cause,
  })
}

/** The body as text, up to a limit. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  let bytes = 0
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    text += decoder.decode(chunk.value, { stream: true })
    bytes += chunk.value.byteLength
    if (bytes > maxBodyBytes) {
      await reader?.cancel()
      break
    }
  }
  return text
}

/** The `Retry-After` of a response, seconds or an HTTP date by the clock of the service, in whole seconds. */
function parseRetryAfter(headers: Headers): Readonly<Record<string, string>> {
  const value = headers.get('retry-after')?.trim() ?? ''
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = /^\d{1,9}$/.test(value)
    ? Number(value)
    : Math.max(0, Math.ceil((Date.parse(value) - now) / 1000))
  return Number.isNaN(seconds) ? {} : { 'Retry-After': String(seconds) }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toCode(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(value) ? value : undefined
}
