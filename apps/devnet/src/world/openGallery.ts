import type { Address } from 'viem'
import { accounts, getAccount } from '../scenarios/accounts.ts'
import type { SeededRandom } from '../seededRandom.ts'
import { mintCollectible, mintItems } from './collectibles.ts'
import type { World } from './World.ts'

const collectors = accounts.filter(({ role }) => role === 'collector')
const others = accounts.filter(({ role }) => role === 'trader' || role === 'holder')

/** The artist mints the first NFTs of every collection, mostly to collectors, and those with odd URIs only to them. */
export function openGallery(
  world: World,
  random: SeededRandom,
  smallHolders: readonly Address[],
): void {
  for (const collection of world.deployment.collections) {
    const pickOwner = () => {
      if (random.chance(45)) {
        return random.pick(collectors).address
      }
      return random.chance(75) ? random.pick(others).address : random.pick(smallHolders)
    }
    for (const uri of collection.uris ?? []) {
      mintCollectible(world, collection, random.pick(collectors).address, uri)
    }
    if (collection.standard === 721) {
      for (let count = 0; count < collection.minted; count++) {
        mintCollectible(world, collection, pickOwner())
      }
      continue
    }
    for (const { address } of collectors) {
      const ids = Array.from({ length: collection.minted }, (_, index) => BigInt(index + 1))
      const pieces = ids.map((id) => ({ id, amount: BigInt(random.integer(4, 40)) }))
      mintItems(world, collection, address, pieces)
    }
    mintItems(world, collection, getAccount('grace').address, [{ id: 1n, amount: 3n }])
  }
}
