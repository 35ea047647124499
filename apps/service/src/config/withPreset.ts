import { chainPresets } from './chainPresets.ts'
import { wellKnownChains } from './wellKnownChains.ts'

/**
 * Fills in the missing fields of a well-known chain: name, native currency and tags from {@link wellKnownChains}, and
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

/** Name, native currency and tags of a chain, if it is well known. */
export function describeChain(id: number): object | undefined {
  const found = wellKnownChains.find((chain) => chain.id === id)
  if (!found) {
    return undefined
  }
  const { name, testnet = false, nativeCurrency } = found
  return { name, tags: ['default', testnet ? 'testnet' : 'mainnet'], nativeCurrency }
}
