import type { Address } from 'viem'
import type { SeededRandom } from '../seededRandom.ts'
import { Collectors } from './Collectors.ts'
import { OddActors } from './OddActors.ts'
import type { World } from './World.ts'

/** Those who do what is no business of the market: NFTs, odd tokens. Each acts once a block, or lets it be. */
export function sideActors(
  world: World,
  random: SeededRandom,
  smallHolders: readonly Address[],
): { act(): void }[] {
  return [new Collectors(world, random, smallHolders), new OddActors(world, random)]
}
