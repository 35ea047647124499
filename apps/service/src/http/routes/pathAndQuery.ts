/** What follows the host in a whole URL. */
export function pathAndQuery(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}
