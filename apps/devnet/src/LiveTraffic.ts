import type { Address } from 'viem'
import type { SeededRandom } from './seededRandom.ts'
import { createSideTraffic } from './world/createSideTraffic.ts'
import { Market } from './world/Market.ts'
import type { World } from './world/World.ts'

/** Prices change this much faster than in the past, so that changes are visible in the demos. */
const timeScale = 60

/** The model is updated from the chain after this many blocks, because other clients may have changed it. */
const blocksBetweenReads = 15

/** The chain that the transactions are sent to. */
export interface LiveChain {
  readonly world: World
  /** Updates the world with the state at the latest block. */
  readWorld(): Promise<void>
  /** Sends the transactions of the world and mines a block with them. */
  mine(): Promise<void>
}

/** Generates the transactions of the accounts in the present, one block at a time. */
export class LiveTraffic {
  readonly #chain: LiveChain
  readonly #random: SeededRandom
  readonly #smallHolders: readonly Address[]
  readonly #secondsBetweenBlocks: number
  #market: Market | undefined
  #sides: readonly { transact(): void }[] = []
  #blocks = 0

  constructor(
    chain: LiveChain,
    random: SeededRandom,
    smallHolders: readonly Address[],
    secondsBetweenBlocks: number,
  ) {
    this.#chain = chain
    this.#random = random
    this.#smallHolders = smallHolders
    this.#secondsBetweenBlocks = secondsBetweenBlocks
  }

  /** Invalidates the model, for example after a reorg; the state is read before the next block. */
  invalidate(): void {
    this.#market = undefined
  }

  /** Mines one block with transactions of the accounts. */
  async mineBlock(): Promise<void> {
    const { world } = this.#chain
    let market = this.#market
    if (!market) {
      // Unsent transactions are based on an outdated state.
      world.takeTransactions()
      world.venueTrades.undo()
      await this.#chain.readWorld()
      market = new Market(world, this.#random, this.#smallHolders)
      market.followPools()
      this.#market = market
      this.#sides = createSideTraffic(world, this.#random, this.#smallHolders)
    } else if (++this.#blocks % blocksBetweenReads === 0) {
      await this.#chain.readWorld()
    }
    market.walk(this.#secondsBetweenBlocks * timeScale)
    market.rebalance(10)
    market.rebalanceConcentrated(10)
    if (this.#random.chance(15)) {
      market.swapConcentrated()
    }
    if (this.#random.chance(2)) {
      market.moveLiquidity()
    }
    const count = this.#random.integer(0, 3)
    for (let index = 0; index < count; index++) {
      market.transact()
    }
    for (const side of this.#sides) {
      side.transact()
    }
    // A window of zero minutes guards no price, so that a stablecoin would count as depegged until the next arbitrage.
    market.keepPegs()
    await this.#chain.mine()
  }
}
