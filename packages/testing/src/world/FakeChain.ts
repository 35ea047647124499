/**
 * A chain that a fake service supports.
 *
 * @example
 * import { createFakeService, type FakeChain } from '@headwater/testing'
 * const chain: FakeChain = { id: 31337, name: 'Devnet', tags: ['default'], symbol: 'ETH' }
 * createFakeService({ chains: [chain] })
 */
export interface FakeChain {
  readonly id: number
  /** Name in responses. As specified, requests with the name instead of the id are rejected. */
  readonly name: string
  /** Such as `default`: the chains of requests without chain ids. */
  readonly tags: readonly string[]
  /** Symbol of the native asset. */
  readonly symbol: string
}

/** The chains of a fake service without the option `chains`. */
export const defaultChains: readonly FakeChain[] = [
  { id: 1, name: 'Ethereum', tags: ['default', 'mainnet'], symbol: 'ETH' },
  { id: 8453, name: 'Base', tags: ['default', 'mainnet'], symbol: 'ETH' },
  { id: 137, name: 'Polygon', tags: ['default', 'mainnet'], symbol: 'POL' },
  { id: 11_155_111, name: 'Sepolia', tags: ['testnet'], symbol: 'ETH' },
]
