import { getAvailableMemory } from '../../getAvailableMemory.ts'

/** The most bytes of the caches where none are configured, and their share of the memory of the process. */
const defaults = { maxBytes: 128 * 2 ** 20, share: 1 / 8 }
/** What a token with a pool takes, whose price is carried from block to block, and an entry of what was read from the store. */
const sizes = { token: 1_400, entry: 330 }
/** Fewer are not useful, whatever the configuration: the tokens of some large wallets would displace each other at each block. */
const min = { entries: 1_000, tokens: 20_000, addresses: 20_000 }
/** Most changed addresses of a kind, of each chain and of all chains. */
const max = { addressesPerChain: 200_000, addresses: 400_000 }

/** How much the caches of a process keep. */
export interface CacheLimits {
  /** Of the bodies of responses. */
  readonly responseBytes: number
  /** Rows that were read from the store. */
  readonly storeEntries: number
  /** Tokens of each chain whose prices are carried from block to block. */
  readonly pricedTokens: number
  /**
   * About how many addresses of each kind and chain have a known latest change, of some 10 bytes each, and how many changes of
   * balances are kept of each chain, of 250 bytes each. Responses that were not requested since the others changed are
   * computed again.
   */
  readonly changedAddresses: number
}

/**
 * Divides the memory of the caches. Of a wallet that is requested again and again, all of them have something, so that none
 * should be full much earlier than the others.
 *
 * @param megabytes - of all caches; by default a share of what the process may use.
 * @param chains - the number of chains, which share the prices.
 */
export function getCacheLimits(megabytes: number | undefined, chains: number): CacheLimits {
  const bytes =
    megabytes === undefined
      ? Math.min(defaults.maxBytes, getAvailableMemory() * defaults.share)
      : megabytes * 2 ** 20
  return {
    responseBytes: Math.floor(bytes * 0.4),
    storeEntries: Math.max(min.entries, Math.floor((bytes * 0.3) / sizes.entry)),
    pricedTokens: Math.max(
      min.tokens,
      Math.floor((bytes * 0.3) / sizes.token / Math.max(1, chains)),
    ),
    changedAddresses: Math.max(
      min.addresses,
      Math.min(max.addressesPerChain, Math.floor(max.addresses / Math.max(1, chains))),
    ),
  }
}
