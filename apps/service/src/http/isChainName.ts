import type { ChainConfig } from '../config/Config.ts'
import names from './wellKnownChainNames.json' with { type: 'json' }

/** Words that chain definitions use as names but that read as tags. */
const tagLike = new Set(['default', 'devnet', 'localhost', 'mainnet', 'testnet'])
const wellKnown: ReadonlySet<string> = new Set(names)

/** Whether a word names a chain: one of this service's, or one that is widely known. */
export function isChainName(word: string, configured: readonly ChainConfig[]): boolean {
  const name = simplifyName(word)
  if (configured.some((chain) => simplifyName(chain.name) === name)) {
    return true
  }
  return !tagLike.has(name) && wellKnown.has(name)
}

/** Removes differences in case, spaces and punctuation from a chain's name. */
export function simplifyName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
