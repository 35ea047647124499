import { HttpError } from '../errors/HttpError.ts'
import { isObject } from '../isObject.ts'
import { parseRetryAfter } from './parseRetryAfter.ts'

const longestSentence = 300

/**
 * Makes an error of an answer that is none. Reads the four shapes found in the wild: `{error: "…"}`, `{message: "…"}`,
 * `{error: {message, code}}` and plain text.
 */
export function readRefusal(url: string, response: Response, text: string): HttpError {
  const { status, headers } = response
  const body = parse(text)
  const inner = fields(body.error)
  const sentence =
    string(body.error) ??
    string(inner.message) ??
    string(body.message) ??
    // Neither HTML nor JSON.
    (/^\s*[<{[]/.test(text) ? undefined : string(text.trim()))
  return new HttpError(
    sentence?.slice(0, longestSentence) ?? `The service refused with status ${status}.`,
    {
      url,
      status,
      code: string(body.code) ?? string(inner.code),
      parameter: camelCase(string(body.param) ?? string(inner.param)),
      requestId: string(body.request_id) ?? headers.get('x-request-id') ?? undefined,
      retryAfter: parseRetryAfter(headers.get('retry-after'), serverNow(headers)),
    },
  )
}

/** The time by the service's clock, which its dates mean, where the answer tells it. */
function serverNow(headers: Headers): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? Date.now() : date
}

function parse(text: string): Record<string, unknown> {
  try {
    return fields(JSON.parse(text))
  } catch {
    return {}
  }
}

function fields(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function camelCase(name: string | undefined): string | undefined {
  return name?.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
