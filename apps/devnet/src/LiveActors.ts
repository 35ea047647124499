import type { Address } from 'viem'
import type { SeededRandom } from './seededRandom.ts'
import { Market } from './world/Market.ts'
import { sideActors } from './world/sideActors.ts'
import type { World } from './world/World.ts'

/** Prices of the present walk this much faster than those of the past, so that somebody who watches sees them move. */
const haste = 60

/** After so many blocks the actors look around: others may have written to the chain too. */
const blocksBetweenLooks = 15

/** What the actors need of their chain. */
export interface LiveChain {
  readonly world: World
  /** Brings the world up to the newest block. */
  look(): Promise<void>
  /** Sends what was written into the world and mines a block with it. */
  mine(): Promise<void>
}

/** The present of a chain: a block every few seconds, with what actors do in it. */
export class LiveActors {
  readonly #chain: LiveChain
  readonly #random: SeededRandom
  readonly #smallHolders: readonly Address[]
  readonly #secondsBetweenBlocks: number
  #market: Market | undefined
  #sides: readonly { act(): void }[] = []
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

  /** Forgets what it knew of the chain, as after a reorg; it looks around before the next block. */
  forget(): void {
    this.#market = undefined
  }

  /** One more block. */
  async live(): Promise<void> {
    const { world } = this.#chain
    const market = this.#market
    if (!market) {
      // What was written but not sent belongs to a chain that is no more.
      world.takeTransactions()
      await this.#chain.look()
      this.#market = new Market(world, this.#random, this.#smallHolders)
      this.#market.followPools()
      this.#sides = sideActors(world, this.#random, this.#smallHolders)
    } else if (++this.#blocks % blocksBetweenLooks === 0) {
      await this.#chain.look()
    }
    this.#market?.walk(this.#secondsBetweenBlocks * haste)
    this.#market?.rebalance(10)
    this.#market?.rebalanceConcentrated(10)
    if (this.#random.chance(15)) {
      this.#market?.swapConcentrated()
    }
    if (this.#random.chance(2)) {
      this.#market?.moveLiquidity()
    }
    const actions = this.#random.integer(0, 3)
    for (let action = 0; action < actions; action++) {
      this.#market?.act()
    }
    for (const side of this.#sides) {
      side.act()
    }
    await this.#chain.mine()
  }
}
