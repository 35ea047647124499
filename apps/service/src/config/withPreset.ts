import { createRequire } from 'node:module'
import type { Chain } from 'viem'
import { knownContracts } from './knownContracts.ts'

const require = createRequire(import.meta.url)

/**
 * Fills in what a chain of the configuration leaves out and is known of its id: name, native currency and tags from
 * viem's definitions, contracts from our own list. What is written wins, field by field.
 *
 * @param chain - as written, not validated yet.
 */
export function withPreset(chain: unknown): unknown {
  if (typeof chain !== 'object' || chain === null || !('id' in chain)) {
    return chain
  }
  const { id } = chain
  if (typeof id !== 'number') {
    return chain
  }
  return { ...(isDescribed(chain) ? {} : describe(id)), ...knownContracts[id], ...chain }
}

function isDescribed(chain: object): boolean {
  return 'name' in chain && 'nativeCurrency' in chain
}

function describe(id: number): object {
  // Hundreds of definitions, which take half a second to load: only for who needs one.
  const chains = require('viem/chains') as Record<string, Chain>
  const found = Object.values(chains).find((chain) => chain.id === id)
  if (!found) {
    return {}
  }
  const { name, symbol, decimals } = found.nativeCurrency
  return {
    name: found.name,
    tags: ['default', found.testnet ? 'testnet' : 'mainnet'],
    nativeCurrency: { name, symbol, decimals },
  }
}
