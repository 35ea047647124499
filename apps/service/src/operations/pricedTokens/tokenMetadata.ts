import type { TokenMetadata } from '@headwater/contract'
import type { PricedToken } from './priceToken.ts'
import type { FindTokenLinks } from './TokenLinks.ts'

/** What `metadata` asks for of a token, as far as it is known. */
export function tokenMetadata(
  { token, price }: PricedToken,
  asked: readonly ('logo' | 'url' | 'pools')[],
  findTokenLinks: FindTokenLinks,
): TokenMetadata {
  const { logo, url } = findTokenLinks(token.chain.id, token.address)
  return {
    ...(asked.includes('logo') && logo !== undefined && { logo }),
    ...(asked.includes('url') && url !== undefined && { url }),
    ...(asked.includes('pools') &&
      price && {
        pools: price.route.legs.map(({ type, address, tokens }) => ({
          type,
          address,
          tokens: [...tokens],
        })),
      }),
  }
}
