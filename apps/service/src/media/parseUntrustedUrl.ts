import { isIPv4 } from 'node:net'
import type { NetworkPolicy } from './NetworkPolicy.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

const maximumLength = 8192

/**
 * Reads a URL that a stranger wrote. What browsers forgive is refused: forms that read as one host and lead to another.
 *
 * @param base - the URL that redirected here.
 * @throws {UntrustedFetchError} when it may not be asked.
 */
export function parseUntrustedUrl(
  text: string,
  { allowsPort }: Pick<NetworkPolicy, 'allowsPort'>,
  base?: URL,
): URL {
  const refuse = (why: string) => new UntrustedFetchError('url', why)
  if (text.length > maximumLength) {
    throw refuse('The URL is too long')
  }
  // URL drops these wherever they are.
  if (/[\t\n\r\\]/.test(text)) {
    throw refuse('The URL has a character that is none of a URL')
  }
  // URL takes any number of slashes, and none where the scheme is that of the base, for these two.
  if (/^[^!-~]*https?:(?!\/\/[^/])/i.test(text)) {
    throw refuse('The URL names no host where one belongs')
  }
  const url = URL.parse(text, base?.href)
  if (!url) {
    throw refuse('It is no URL')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(`Nothing is read over ${url.protocol}`)
  }
  const [, written] = /^[^/?#]*\/\/([^/?#]*)/.exec(text) ?? []
  if (written?.includes('@')) {
    throw refuse('The URL has a user name')
  }
  if (url.hostname.endsWith('.')) {
    throw refuse('The name of the host ends with a dot')
  }
  if (written !== undefined && isIPv4(url.hostname) && written.split(':')[0] !== url.hostname) {
    throw refuse('The IPv4 address is written in an odd form')
  }
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (!allowsPort(port)) {
    throw new UntrustedFetchError('port', `Nothing is read from port ${port}`)
  }
  url.hash = ''
  return url
}
