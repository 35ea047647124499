import type { ChainConfig } from '../config/Config.ts'
import { wellKnownChains } from '../config/wellKnownChains.ts'

/** Words that chain definitions use as names but that read as tags. */
const tagLike = new Set(['default', 'devnet', 'localhost', 'mainnet', 'testnet'])
const wellKnown: ReadonlySet<string> = new Set(
  wellKnownChains.flatMap(({ key, name }) => [simplifyName(key), simplifyName(name)]),
)

/** Whether a word names a chain: one of this service's, or one that is widely known. */
export function isChainName(word: string, configured: readonly ChainConfig[]): boolean {
  const name = simplifyName(word)
  if (configured.some((chain) => simplifyName(chain.name) === name)) {
    return true
  }
  return !tagLike.has(name) && wellKnown.has(name)
}

/** Removes differences in case, spaces and punctuation from a chain's name. */
function simplifyName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
