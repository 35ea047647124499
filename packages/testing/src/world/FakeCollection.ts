import type { FakeChain } from './FakeChain.ts'

/**
 * An NFT contract of a fake service.
 *
 * @example
 * import { createFakeService, type FakeCollection } from '@headwater/testing'
 * const [collection]: readonly FakeCollection[] = createFakeService().collections
 * console.log(collection?.name)
 */
export interface FakeCollection {
  readonly chainId: number
  /** In lower case. */
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly standard: 'ERC721' | 'ERC1155'
}

/** An NFT and its owner. */
export interface OwnedCollectible {
  readonly collection: FakeCollection
  readonly chain: FakeChain
  readonly tokenId: bigint
  readonly owner: string
  readonly amount: bigint
  /** In seconds. */
  readonly lastAcquired: number
}
