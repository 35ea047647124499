import type { Address } from 'viem'
import { accounts, getAccount } from '../scenarios/accounts.ts'
import type { SeededRandom } from '../seededRandom.ts'
import {
  burnCollectibles,
  mintCollectible,
  mintItems,
  sellCollectible,
  transferCollectibles,
} from './collectibles.ts'
import type { DeployedCollection } from './Deployment.ts'
import type { Holding } from './Gallery.ts'
import type { World } from './World.ts'

const artist = getAccount('marina').address
const people = accounts.filter(({ role }) => role === 'collector' || role === 'trader')
const keys = new Set<Address>(people.map(({ address }) => address))

/** The minimum price of an NFT, in wei. */
const cheapest = 2n * 10n ** 16n

/** Generates mints, transfers, sales and burns of NFTs. */
export class CollectibleTraffic {
  readonly #world: World
  readonly #random: SeededRandom
  readonly #smallHolders: readonly Address[]

  constructor(world: World, random: SeededRandom, smallHolders: readonly Address[]) {
    this.#world = world
    this.#random = random
    this.#smallHolders = smallHolders
  }

  /** Generates a transaction in every third block on average. */
  transact(): void {
    // Collections with odd URIs are for display and do not grow.
    const collections = this.#world.deployment.collections.filter(({ uris }) => !uris)
    if (collections.length === 0 || !this.#random.chance(33)) {
      return
    }
    const collection = this.#random.pick(collections)
    const draw = this.#random.integer(0, 99)
    if (draw < 25) {
      this.#mint(collection)
    } else if (draw < 55) {
      this.#give(collection)
    } else if (draw < 93) {
      this.#sell(collection)
    } else {
      this.#burn(collection)
    }
  }

  #mint(collection: DeployedCollection): void {
    const to = this.#random.pick(people).address
    if (collection.standard === 721) {
      mintCollectible(this.#world, collection, to)
      return
    }
    const pieces = Array.from({ length: this.#random.integer(1, 3) }, () => ({
      id: BigInt(this.#random.integer(1, collection.minted)),
      amount: BigInt(this.#random.integer(1, 5)),
    }))
    mintItems(this.#world, collection, to, pieces)
  }

  #give(collection: DeployedCollection): void {
    const holding = this.#pickHolding(collection)
    if (!holding) {
      return
    }
    const { holder, id } = holding
    const to = this.#random.chance(60)
      ? this.#random.pick(people).address
      : this.#random.pick(this.#smallHolders)
    const half = holding.amount / 2n
    // A batch may contain an id twice.
    const pieces =
      half > 0n && this.#random.chance(50)
        ? [
            { id, amount: 1n },
            { id, amount: half },
          ]
        : [{ id, amount: 1n }]
    transferCollectibles(this.#world, collection, holder, to, pieces)
  }

  #sell(collection: DeployedCollection): void {
    const holding = this.#pickHolding(collection)
    const buyer = this.#random.pick(people).address
    if (!holding || holding.holder === buyer) {
      return
    }
    const most = this.#world.nativeOf(buyer) / 40n
    const wanted = cheapest * BigInt(this.#random.integer(1, 90))
    const price = wanted < most ? wanted : most
    if (price < cheapest) {
      return
    }
    const amount = holding.amount > 1n ? BigInt(this.#random.integer(1, 2)) : 1n
    const piece = { id: holding.id, amount }
    const salt = BigInt(this.#random.integer(0, Number.MAX_SAFE_INTEGER))
    sellCollectible(this.#world, collection, { piece, seller: holding.holder, buyer, price, salt })
  }

  #burn(collection: DeployedCollection): void {
    const holding = this.#pickHolding(collection)
    if (!holding) {
      return
    }
    burnCollectibles(this.#world, collection, holding.holder, [{ id: holding.id, amount: 1n }])
  }

  /** An NFT of the collection whose owner is an account. */
  #pickHolding(collection: DeployedCollection): Holding | undefined {
    const holdings = this.#world.gallery
      .holdingsOf(collection.address)
      .filter(({ holder }) => keys.has(holder) && holder !== artist)
    return holdings.length > 0 ? this.#random.pick(holdings) : undefined
  }
}
