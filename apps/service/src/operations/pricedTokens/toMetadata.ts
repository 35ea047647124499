import type { TokenInfoParameters, TokenMetadata } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { Links } from '../Handler.ts'
import { describePools } from './describePools.ts'
import type { FindAuditedBlock } from './loadAuditedBlocks.ts'
import type { PricedToken } from './priceToken.ts'

/** What the values are filled from. */
export interface MetadataSource {
  /** The price books of the head, by chain id. */
  readonly current: ReadonlyMap<number, PriceBook> | undefined
  /** Undefined if `metadata` does not contain `audit`. */
  readonly findAuditedBlock: FindAuditedBlock | undefined
  readonly links: Pick<Links, 'logo' | 'homePage'>
}

/** The values that a request adds with `metadata`, as far as they are known. */
export function toMetadata(
  { token, price }: PricedToken,
  fields: NonNullable<TokenInfoParameters['metadata']>,
  { links, current, findAuditedBlock }: MetadataSource,
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
    const { chain, address } = token
    const priced = address === 'native' ? (chain.wrappedNative ?? address) : address
    const rejected = current?.get(chain.id)?.rejected.get(priced) ?? []
    Object.assign(metadata, describePools(priced, price?.route, rejected))
  }
  const auditedBlock = findAuditedBlock?.(token)
  if (auditedBlock !== undefined) {
    metadata.audited_block = auditedBlock
  }
  return metadata
}
