import type { Address } from 'viem'
import type { SeededRandom } from '../seededRandom.ts'
import { Collectors } from './Collectors.ts'
import { OddActors } from './OddActors.ts'
import type { World } from './World.ts'

/** Actions besides the market: NFTs and odd tokens. Each has at most one action per block. */
export function sideActors(
  world: World,
  random: SeededRandom,
  smallHolders: readonly Address[],
): { act(): void }[] {
  return [new Collectors(world, random, smallHolders), new OddActors(world, random)]
}
