import { responseHeaders } from '@headwater/contract/schemas'
import { ProxyError } from './ProxyError.ts'
import { parseUrl, type Settings } from './ProxyOptions.ts'

export const allowedMethods = 'GET, HEAD, OPTIONS'

/**
 * Checks that a page of an allowed origin sent the request. Any other program can send any header: rate limits and `authorize`
 * protect from those, this protects from other sites that would spend the units of the key through their visitors.
 *
 * @returns The CORS headers of the response.
 * @throws {ProxyError} 403 otherwise.
 */
export function checkOrigin(
  { headers }: Request,
  url: URL,
  origins: Settings['origins'],
): Readonly<Record<string, string>> {
  if (origins === '*') {
    return { 'Access-Control-Allow-Origin': '*', ...exposed }
  }
  const origin = headers.get('origin')
  if (origin !== null && origins.has(origin)) {
    return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin', ...exposed }
  }
  // Requests that cannot read the response, such as those of `<img>`, have no `Origin`.
  const source = parseUrl(origin ?? headers.get('referer') ?? '')
  const isListed = origin === null && source !== undefined && origins.has(source.origin)
  // Browsers set it, and scripts cannot. It is missing on plain HTTP, and in browsers of before 2023.
  const site = headers.get('sec-fetch-site')
  // The protocol is not compared: where a reverse proxy terminates TLS, the URL of the request is one of HTTP.
  const isSame =
    site === null ? source?.host === url.host : site === 'same-origin' || site === 'none'
  if (!isListed && !isSame) {
    throw new ProxyError(403, 'ORIGIN_NOT_ALLOWED', 'Requests from this origin are not allowed')
  }
  return origins.size > 0 ? { Vary: 'Origin' } : {}
}

const exposed = { 'Access-Control-Expose-Headers': responseHeaders.join(', ') }

/** Headers of the response to a preflight request. */
export function toPreflightHeaders({ headers }: Request): Readonly<Record<string, string>> {
  const requested = headers.get('access-control-request-headers')
  return {
    Allow: allowedMethods,
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Max-Age': '86400',
    ...(requested !== null && { 'Access-Control-Allow-Headers': requested }),
  }
}
