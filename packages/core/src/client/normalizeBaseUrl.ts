import { InvalidParameterError } from '../errors/InvalidParameterError.ts'

/**
 * Writes a base URL without its trailing slashes.
 *
 * @throws InvalidParameterError when it is not an absolute `http` or `https` URL, or carries what has no place in it.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  let url: URL | undefined
  try {
    url = new URL(baseUrl)
  } catch {
    // Said below.
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidParameterError('baseUrl', 'must be an absolute http or https URL', baseUrl)
  }
  if (url.search || url.hash || url.username || url.password) {
    // Not shown: it may hold a secret.
    throw new InvalidParameterError('baseUrl', 'must have no query, fragment or credentials')
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
