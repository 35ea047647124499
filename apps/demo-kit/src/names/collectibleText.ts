import type { Collectible } from '@headwater/core'
import type { Link } from '../links/Link.ts'
import { shownText } from './tokenText.ts'

/** The display name of a collectible: its name, or its token id if the name is blank. */
export function collectibleText({ name, symbol, token_id: id }: Collectible): string {
  if (shownText(name)) {
    return shownText(name)
  }
  const number = id.length > 12 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id
  return `${shownText(symbol) || 'Token'} #${number}`
}

/** Identity of a collectible. */
export function collectibleKey(collectible: Collectible): string {
  return `${collectible.chain_id}/${collectible.contract_address}/${collectible.token_id}`
}

/** The collectible of a link, if it is in the list. */
export function findCollectible(
  collectibles: readonly Collectible[],
  { chainId, token, tokenId }: Link,
): Collectible | undefined {
  return collectibles.find(
    (each) =>
      each.chain_id === chainId && each.contract_address === token && each.token_id === tokenId,
  )
}
