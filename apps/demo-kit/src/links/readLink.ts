import type { Link, Screen } from './Link.ts'
import { parseChains } from './parseChains.ts'

/**
 * Parses the query of the page's URL, which is not validated.
 *
 * @param search - Such as `?address=0x…&screen=token&chain=1&token=native`.
 * @returns The link. A screen without its parameters is replaced by its parent screen.
 */
export function readLink(search: string): Link {
  const query = new URLSearchParams(search)
  const text = (name: string) => query.get(name)?.trim() ?? ''
  const [chainId = 0] = parseChains(text('chain'))
  const link: Omit<Link, 'screen'> = {
    address: text('address'),
    chains: parseChains(text('chains')),
    chainId: typeof chainId === 'number' ? chainId : 0,
    token: text('token').toLowerCase(),
    tokenId: text('id'),
  }
  return { ...link, screen: screenOf(text('screen'), link) }
}

function screenOf(name: string, { chainId, token, tokenId }: Omit<Link, 'screen'>): Screen {
  const namesToken = chainId > 0 && token !== ''
  switch (name) {
    case 'token':
      return namesToken ? 'token' : 'portfolio'
    case 'collectible':
      return namesToken && /^\d+$/.test(tokenId) ? 'collectible' : 'collectibles'
    case 'collectibles':
      return 'collectibles'
    default:
      return 'portfolio'
  }
}
