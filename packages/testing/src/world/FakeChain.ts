/**
 * A chain that a fake service answers for.
 *
 * @example
 * import { createFakeService, type FakeChain } from '@headwater/testing'
 * const chain: FakeChain = { id: 31337, name: 'Devnet', tags: ['default'], symbol: 'ETH' }
 * createFakeService({ chains: [chain] })
 */
export interface FakeChain {
  readonly id: number
  /** As answers tell it. Requests that name it are refused, as the specification says. */
  readonly name: string
  /** Such as `default`: the chains that are meant where a request names none. */
  readonly tags: readonly string[]
  /** Symbol of the native asset. */
  readonly symbol: string
}

/** The chains of a fake service that is told of none. */
export const usualChains: readonly FakeChain[] = [
  { id: 1, name: 'Ethereum', tags: ['default', 'mainnet'], symbol: 'ETH' },
  { id: 8453, name: 'Base', tags: ['default', 'mainnet'], symbol: 'ETH' },
  { id: 137, name: 'Polygon', tags: ['default', 'mainnet'], symbol: 'POL' },
  { id: 11_155_111, name: 'Sepolia', tags: ['testnet'], symbol: 'ETH' },
]
