import type { Link } from './Link.ts'

/**
 * Serializes a link as the query of the page's URL; the inverse of `readLink`.
 *
 * @param link - The link.
 * @param search - The current query. Its other parameters, such as a key, are kept.
 * @returns The query with its `?`.
 */
export function writeLink(link: Link, search: string): string {
  const query = new URLSearchParams(search)
  const showsToken = link.screen === 'token' || link.screen === 'collectible'
  const fields = {
    address: link.address,
    chains: link.chains.join(),
    screen: link.screen === 'portfolio' ? '' : link.screen,
    chain: showsToken ? String(link.chainId) : '',
    token: showsToken ? link.token : '',
    id: link.screen === 'collectible' ? link.tokenId : '',
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value) {
      query.set(name, value)
    } else {
      query.delete(name)
    }
  }
  // Commas need no escaping in a query.
  return `?${query.toString().replaceAll('%2C', ',')}`
}
