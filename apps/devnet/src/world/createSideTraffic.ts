import type { Address } from 'viem'
import type { SeededRandom } from '../seededRandom.ts'
import { CollectibleTraffic } from './CollectibleTraffic.ts'
import { OddTokenTraffic } from './OddTokenTraffic.ts'
import type { DeployedVenuePool } from './venues/DeployedVenues.ts'
import { VenueTraffic } from './venues/VenueTraffic.ts'
import type { World } from './World.ts'

/**
 * Transactions besides those of the market: of NFTs and odd tokens, at most one of each kind per block, and in venues.
 *
 * @param venues - the random numbers of the trades in these, and the pools that are open.
 */
export function createSideTraffic(
  world: World,
  random: SeededRandom,
  smallHolders: readonly Address[],
  venues: {
    readonly random: SeededRandom
    readonly pools: () => readonly DeployedVenuePool[]
  } = { random, pools: () => world.deployment.venues?.pools ?? [] },
): { transact(): void }[] {
  return [
    new CollectibleTraffic(world, random, smallHolders),
    new OddTokenTraffic(world, random),
    new VenueTraffic(world, venues.random, venues.pools),
  ]
}
