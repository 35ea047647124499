import type { FakeChain } from './FakeChain.ts'
import type { FakeCollection, OwnedCollectible } from './FakeCollection.ts'
import { addressOf, hash } from './hash.ts'

const drafts = [
  { name: 'Fake Apes', symbol: 'FAPE', standard: 'ERC721' },
  { name: 'Fake Punks', symbol: 'FPUNK', standard: 'ERC721' },
  { name: 'Fake Editions', symbol: 'FED', standard: 'ERC1155' },
] as const

/** The NFT contracts of a world: the same three on each of the first two chains. */
export function createCollections(seed: string, chains: readonly FakeChain[]): FakeCollection[] {
  return chains.slice(0, 2).flatMap(({ id }) =>
    drafts.map((draft) => ({
      ...draft,
      chainId: id,
      address: addressOf(`${seed}/collection/${id}/${draft.symbol}`),
    })),
  )
}

/** The NFTs of a wallet, from all collections in turn, acquired over the days before `now` (in seconds). */
export function createOwned(
  wallet: string,
  count: number,
  collections: readonly FakeCollection[],
  chains: readonly FakeChain[],
  now: number,
): OwnedCollectible[] {
  return Array.from({ length: count }, (_, index) => {
    const collection = collections[index % collections.length] as FakeCollection
    const drawn = hash(`${wallet}/collectible/${index}`)
    return {
      collection,
      chain: chains.find(({ id }) => id === collection.chainId) as FakeChain,
      // A separate range per wallet, so that each NFT has one owner.
      tokenId: BigInt(hash(wallet)) * 10_000n + BigInt(index),
      owner: wallet,
      amount: collection.standard === 'ERC721' ? 1n : BigInt(1 + (drawn % 9)),
      lastAcquired: now - 3600 - (drawn % 8_000_000),
    }
  })
}
