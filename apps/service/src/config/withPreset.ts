import { createRequire } from 'node:module'
import type { Chain } from 'viem'
import { chainPresets } from './chainPresets.ts'

const require = createRequire(import.meta.url)

/**
 * Fills in the missing fields of a well-known chain: name, native currency and tags from viem's chain definitions, and
 * contracts and finality depth from {@link chainPresets}. Configured fields take precedence.
 *
 * @param chain - the chain in the configuration file, not validated yet.
 */
export function withPreset(chain: unknown): unknown {
  if (typeof chain !== 'object' || chain === null || !('id' in chain)) {
    return chain
  }
  const { id } = chain
  if (typeof id !== 'number') {
    return chain
  }
  return { ...(isDescribed(chain) ? {} : describeChain(id)), ...chainPresets[id], ...chain }
}

function isDescribed(chain: object): boolean {
  return 'name' in chain && 'nativeCurrency' in chain
}

/** Name, native currency and tags of a chain, if viem defines it. */
export function describeChain(id: number): object | undefined {
  // Loading all chain definitions takes half a second, so they are loaded on demand.
  const chains = require('viem/chains') as Record<string, Chain>
  const found = Object.values(chains).find((chain) => chain.id === id)
  if (!found) {
    return undefined
  }
  const { name, symbol, decimals } = found.nativeCurrency
  return {
    name: found.name,
    tags: ['default', found.testnet ? 'testnet' : 'mainnet'],
    nativeCurrency: { name, symbol, decimals },
  }
}
