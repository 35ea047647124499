import { isIPv4 } from 'node:net'
import type { NetworkPolicy } from './NetworkPolicy.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

const maxLength = 8192

/**
 * Parses an untrusted URL strictly. Forms that browsers tolerate and that lead to another host than they appear to are
 * rejected.
 *
 * @param base - the URL that redirected to this one.
 * @throws {UntrustedFetchError} `url` or `port` when the URL is not allowed.
 */
export function parseUntrustedUrl(
  text: string,
  { allowsPort }: Pick<NetworkPolicy, 'allowsPort'>,
  base?: URL,
): URL {
  const invalid = (message: string) => new UntrustedFetchError('url', message)
  if (text.length > maxLength) {
    throw invalid('The URL is too long')
  }
  // URL drops tabs and line breaks anywhere, and reads a backslash as a slash.
  if (/[\t\n\r\\]/.test(text)) {
    throw invalid('The URL contains an invalid character')
  }
  // For these schemes, URL accepts any number of slashes, and none if the base has the same scheme.
  if (/^[^!-~]*https?:(?!\/\/[^/])/i.test(text)) {
    throw invalid('The URL has no host after its scheme')
  }
  const url = URL.parse(text, base?.href)
  if (!url) {
    throw invalid('The URL cannot be parsed')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(`The scheme ${url.protocol} is not allowed`)
  }
  const [, authority] = /^[^/?#]*\/\/([^/?#]*)/.exec(text) ?? []
  if (authority?.includes('@')) {
    throw invalid('The URL contains a user name')
  }
  if (url.hostname.endsWith('.')) {
    throw invalid('The host name ends with a dot')
  }
  if (authority !== undefined && isIPv4(url.hostname) && authority.split(':')[0] !== url.hostname) {
    throw invalid('The IPv4 address is not in dotted decimal form')
  }
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (!allowsPort(port)) {
    throw new UntrustedFetchError('port', `Port ${port} is not allowed`)
  }
  url.hash = ''
  return url
}
