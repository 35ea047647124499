import type { TokenInfoParameters, TokenMetadata } from '@headwater/contract'
import type { MediaLinks } from '../../media/MediaLinks.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import { getPricedAddress } from './ChainToken.ts'
import { describePools } from './describePools.ts'
import type { FindAuditedBlock } from './loadAuditedBlocks.ts'
import type { PricedToken } from './priceToken.ts'

/** What the values are filled from. */
export interface MetadataSource {
  /** The price books of the head, by chain id; with the creation of pools if `metadata` contains `pools`. */
  readonly books: ReadonlyMap<number, PriceBook> | undefined
  /** Undefined if `metadata` does not contain `audit`. */
  readonly findAuditedBlock: FindAuditedBlock | undefined
  readonly links: Pick<MediaLinks, 'logo' | 'homePage'>
}

/** The values that a request adds with `metadata`, as far as they are known. */
export function toMetadata(
  { token, price }: PricedToken,
  fields: NonNullable<TokenInfoParameters['metadata']>,
  { links, books, findAuditedBlock }: MetadataSource,
): TokenMetadata {
  const metadata: TokenMetadata = {}
  const logo = fields.includes('logo') ? links.logo(token.chain.id, token.address) : undefined
  if (logo !== undefined) {
    metadata.logo = logo
  }
  const url = fields.includes('url') ? links.homePage(token.chain.id, token.address) : undefined
  if (url !== undefined) {
    metadata.url = url
  }
  if (fields.includes('pools')) {
    const book = books?.get(token.chain.id)
    Object.assign(metadata, describePools(getPricedAddress(token), price?.route, book))
  }
  const auditedBlock = findAuditedBlock?.(token)
  if (auditedBlock !== undefined) {
    metadata.audited_block = auditedBlock
  }
  return metadata
}
