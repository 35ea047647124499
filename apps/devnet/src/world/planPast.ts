import { type Address, keccak256, sliceHex, stringToHex } from 'viem'
import type { Bytecodes } from '../contracts/compileContracts.ts'
import { accounts } from '../scenarios/accounts.ts'
import type { Scenario } from '../scenarios/Scenario.ts'
import { seededRandom } from '../seededRandom.ts'
import { createSideTraffic } from './createSideTraffic.ts'
import { deployBuilt } from './deployBuilt.ts'
import { type Deployment, deploymentOf } from './Deployment.ts'
import { Market } from './Market.ts'
import { handOutOddTokens } from './OddTokenTraffic.ts'
import { openGallery } from './openGallery.ts'
import {
  deployExchange,
  deployToken,
  handOut,
  openConcentratedPools,
  openPool,
} from './openWorld.ts'
import type { PlannedTransaction } from './PlannedTransaction.ts'
import type { DeployedVenuePool } from './venues/DeployedVenues.ts'
import { deployVenues, fundVenues } from './venues/deployVenues.ts'
import { openVenuePool } from './venues/VenueTraffic.ts'
import { World } from './World.ts'

/** One block of the past. */
export interface PlannedBlock {
  /** Seconds after the genesis block. */
  readonly time: number
  readonly transactions: readonly PlannedTransaction[]
}

/** The planned past of a chain. */
export interface Past {
  readonly blocks: number
  readonly deployment: Deployment
  /** The model after the blocks that were consumed so far. */
  readonly world: World
  /** The blocks, planned lazily; can be iterated once. */
  readonly plan: Iterable<PlannedBlock>
}

/** The parameters of a past; the same parameters give the same transactions. */
export interface PastOptions {
  readonly seed: string
  /** Days of block time. */
  readonly days: number
  readonly bytecodes: Bytecodes
}

/** Seconds between the blocks of the first contracts and pools. */
const setupStep = 12
const setupBlocks = 4

/**
 * Plans the past of a scenario: deployments, distribution and trades; late tokens at their time.
 *
 * @throws {RangeError} when the past is shorter than an hour
 */
export function planPast(scenario: Scenario, options: PastOptions): Past {
  const span = Math.round(options.days * 86_400)
  if (!(span >= 3_600)) {
    throw new RangeError('A past of less than an hour has no prices')
  }
  // A short past has shorter intervals between its first blocks.
  const step = Math.min(scenario.secondsBetweenBlocks, Math.floor(span / 24))
  const tradingBlocks = Math.floor((span - setupStep * (setupBlocks + 1)) / step)
  const deployment = deploymentOf(scenario)
  const world = new World(deployment)
  for (const { address, native } of accounts) {
    world.native.set(address, BigInt(native) * 10n ** 18n)
  }
  const plan = planBlocks(world, options, { span, step, tradingBlocks })
  return { blocks: setupBlocks + tradingBlocks, deployment, world, plan }
}

function* planBlocks(
  world: World,
  { seed, bytecodes }: PastOptions,
  { span, step, tradingBlocks }: { span: number; step: number; tradingBlocks: number },
): Generator<PlannedBlock> {
  const { scenario, tokens, pools } = world.deployment
  const random = seededRandom(`${seed}/${scenario.chainId}`)
  const smallHolders = smallHoldersOf(seed, scenario)
  const market = new Market(world, random, smallHolders)
  // Random numbers of their own, so that the other traffic does not depend on the venues.
  const venueRandom = seededRandom(`${seed}/${scenario.chainId}/venues`)
  const venues = { random: venueRandom, pools: () => openVenuePools }
  const sides = createSideTraffic(world, random, smallHolders, venues)
  const openVenuePools: DeployedVenuePool[] = []
  const openVenues = (percent: number) => {
    for (const pool of world.deployment.venues?.pools ?? []) {
      if (pool.appearsAt <= percent && !openVenuePools.includes(pool)) {
        openVenuePool(world, pool, venueRandom)
        openVenuePools.push(pool)
      }
    }
  }
  const ofScenario = tokens.slice(1)
  const early = ofScenario.filter(({ appearsAt }) => appearsAt === 0)
  let time = 0
  const block = (next: number): PlannedBlock => {
    time = next
    return { time, transactions: world.takeTransactions() }
  }

  deployExchange(world)
  deployBuilt(world, bytecodes)
  deployVenues(world, bytecodes)
  yield block(setupStep)
  for (const token of early) {
    deployToken(world, token, bytecodes)
  }
  yield block(time + setupStep)
  for (const pool of pools) {
    if (pool.appearsAt === 0) {
      openPool(world, pool)
    }
  }
  openConcentratedPools(world)
  fundVenues(world)
  openVenues(0)
  yield block(time + setupStep)
  for (const token of tokens) {
    if (token.appearsAt === 0) {
      handOut(world, token, random, smallHolders)
    }
  }
  openGallery(world, random, smallHolders)
  handOutOddTokens(world, random, smallHolders)
  yield block(time + setupStep)

  const start = time
  let appeared = 0
  for (let number = 1; number <= tradingBlocks; number++) {
    const percent = (number * 100) / tradingBlocks
    for (const token of ofScenario) {
      if (token.appearsAt <= appeared || token.appearsAt > percent) {
        continue
      }
      deployToken(world, token, bytecodes)
      for (const pool of pools) {
        if (pool.base === token || pool.quote === token) {
          openPool(world, pool)
        }
      }
      handOut(world, token, random, smallHolders)
    }
    openVenues(percent)
    appeared = percent
    market.walk(step)
    market.rebalance(45)
    market.rebalanceConcentrated(14)
    if (random.chance(8)) {
      market.moveLiquidity()
    }
    const count = random.integer(...scenario.transactionsPerBlock)
    for (let index = 0; index < count; index++) {
      market.transact()
    }
    for (const side of sides) {
      side.transact()
    }
    const jitter = random.integer(0, Math.floor(step / 4))
    const even = start + Math.floor(((span - start) * number) / tradingBlocks)
    yield block(number === tradingBlocks ? span : even - jitter)
  }
}

/** The addresses of a scenario that only receive tokens. */
export function smallHoldersOf(seed: string, scenario: Scenario): Address[] {
  return Array.from({ length: scenario.smallHolders }, (_, index) => {
    const text = `${seed}/small holder/${index}`
    return sliceHex(keccak256(stringToHex(text)), 12)
  })
}
