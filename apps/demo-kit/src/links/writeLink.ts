import type { Link } from './Link.ts'

/**
 * Writes a link as the query of a page's address; the reverse of `readLink`.
 *
 * @param link - Where to go.
 * @param search - The query of now: what else stands there (such as a key) stays.
 * @returns The query, with its `?`.
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
  // Commas and colons are well readable in a query.
  return `?${query.toString().replaceAll('%2C', ',')}`
}
