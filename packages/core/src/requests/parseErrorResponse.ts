import { HttpError } from '../errors/HttpError.ts'
import { isObject } from '../isObject.ts'

const maxMessageLength = 300
/**
 * Longest delay until an HTTP date that is compared with the local clock, which may be hours behind: the longest backoff of
 * polls.
 */
const maxLocalDelayMs = 5 * 60_000

/**
 * Creates an error from an error response. Supports the four body shapes of services in the wild: `{error: "…"}`,
 * `{message: "…"}`, `{error: {message, code}}` and plain text.
 */
export function parseErrorResponse(url: string, response: Response, text: string): HttpError {
  const { status, headers } = response
  const body = parseObject(text)
  const inner = toObject(body.error)
  const message =
    toText(body.error) ??
    toText(inner.message) ??
    toText(body.message) ??
    // Neither HTML nor JSON.
    (/^\s*[<{[]/.test(text) ? undefined : toText(text.trim()))
  return new HttpError(
    message?.slice(0, maxMessageLength) ?? `The service responded with status ${status}.`,
    {
      url,
      status,
      code: toText(body.code) ?? toText(inner.code),
      parameter: toCamelCase(toText(body.param) ?? toText(inner.param)),
      requestId: toText(body.request_id) ?? headers.get('x-request-id') ?? undefined,
      retryAfter: parseRetryAfter(headers),
    },
  )
}

/**
 * Parses `Retry-After`, which is seconds or an HTTP date, to milliseconds. A date refers to the clock of the service, which
 * is the `Date` of the response. Browsers hide that header from other origins unless the service exposes it.
 */
function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null || value.trim() === '') {
    return undefined
  }
  const seconds = Number(value)
  if (!Number.isNaN(seconds)) {
    return toDelay(seconds * 1000)
  }
  const date = Date.parse(value)
  const serverTime = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(serverTime)
    ? toDelay(Math.min(date - Date.now(), maxLocalDelayMs))
    : toDelay(date - serverTime)
}

function toDelay(milliseconds: number): number | undefined {
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

function toObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toCamelCase(name: string | undefined): string | undefined {
  return name?.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
