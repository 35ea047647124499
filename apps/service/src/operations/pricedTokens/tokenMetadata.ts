import type { TokenMetadata } from '@headwater/contract'
import type { PricedToken } from './priceToken.ts'
import type { TokenLinks } from './TokenLinks.ts'

/** What `metadata` asks for of a token, as far as it is known. */
export function tokenMetadata(
  { token, price }: PricedToken,
  asked: readonly ('logo' | 'url' | 'pools')[],
  links: TokenLinks,
): TokenMetadata {
  const metadata: TokenMetadata = {}
  const logo = asked.includes('logo') ? links.logo(token.chain.id, token.address) : undefined
  if (logo !== undefined) {
    metadata.logo = logo
  }
  const url = asked.includes('url') ? links.homePage(token.chain.id, token.address) : undefined
  if (url !== undefined) {
    metadata.url = url
  }
  if (asked.includes('pools') && price) {
    metadata.pools = price.route.legs.map(({ type, address, tokens }) => ({
      type,
      address,
      tokens: [...tokens],
    }))
  }
  return metadata
}
