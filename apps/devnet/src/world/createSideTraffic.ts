import type { Address } from 'viem'
import type { SeededRandom } from '../seededRandom.ts'
import { CollectibleTraffic } from './CollectibleTraffic.ts'
import { OddTokenTraffic } from './OddTokenTraffic.ts'
import type { World } from './World.ts'

/** Transactions besides those of the market: of NFTs and odd tokens, at most one of each kind per block. */
export function createSideTraffic(
  world: World,
  random: SeededRandom,
  smallHolders: readonly Address[],
): { transact(): void }[] {
  return [new CollectibleTraffic(world, random, smallHolders), new OddTokenTraffic(world, random)]
}
