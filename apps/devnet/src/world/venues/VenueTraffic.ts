import { encodeFunctionData } from 'viem'
import { vaultAbi } from '../../contracts/venueArtifacts.ts'
import { getAccount } from '../../scenarios/accounts.ts'
import type { VenueType } from '../../scenarios/Scenario.ts'
import type { SeededRandom } from '../../seededRandom.ts'
import type { World } from '../World.ts'
import { balanceVenues } from './balanceVenues.ts'
import { concentratedVenues } from './concentratedVenues.ts'
import type { DeployedVenuePool, VenueToken } from './DeployedVenues.ts'
import type { VenueActions } from './VenueActions.ts'
import { send, worth, write } from './venueTransactions.ts'

const actions: Readonly<Record<VenueType, VenueActions>> = {
  ...concentratedVenues,
  ...balanceVenues,
}

/** They get some of the tokens that only the venues trade. */
const receivers = ['frank', 'kim', 'leo', 'nina'].map((name) => getAccount(name).address)

/** The most that a pool sold of a token beyond what it bought, in thousandths of its depth, so that prices return. */
const mostSold = 80

/** Creates a pool, and distributes its tokens. */
export function openVenuePool(world: World, pool: DeployedVenuePool, random: SeededRandom): void {
  actions[pool.type].open(world, pool)
  for (const token of pool.tokens) {
    if (world.deployment.venues?.tokens.includes(token)) {
      handOut(world, pool, token, random)
    }
  }
}

function handOut(
  world: World,
  { type, tokens }: DeployedVenuePool,
  token: VenueToken,
  random: SeededRandom,
): void {
  for (const to of receivers) {
    const amount = worth(token, BigInt(random.integer(400, 9_000)))
    if (type !== 'erc4626') {
      send(world, token.address, to, amount)
    } else if (token === tokens[0]) {
      const args = [amount, to] as const
      write(
        world,
        token.address,
        encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args }),
      )
    }
  }
}

/** Generates trades of the ranger in the pools of the venues. Prices follow from these trades alone. */
export class VenueTraffic {
  readonly #world: World
  readonly #random: SeededRandom
  readonly #pools: () => readonly DeployedVenuePool[]

  /** @param pools - those that are open. */
  constructor(world: World, random: SeededRandom, pools: () => readonly DeployedVenuePool[]) {
    this.#world = world
    this.#random = random
    this.#pools = pools
  }

  /** Generates a transaction in every seventh pool on average. */
  transact(): void {
    for (const pool of this.#pools()) {
      if (!this.#random.chance(15)) {
        continue
      }
      const { swap, provide } = actions[pool.type]
      if (this.#random.chance(20)) {
        const permille = this.#random.pick([2, 5, 9])
        const isRemoval = this.#world.venueTrades.toggle(`${pool.address}/${permille}`)
        provide(this.#world, pool, BigInt(permille), isRemoval)
        continue
      }
      const { from, to, permille } = this.#drawTrade(pool)
      const token = pool.tokens[from]
      if (token) {
        swap(this.#world, pool, from, to, worth(token, (pool.depthUsd * BigInt(permille)) / 1_000n))
      }
    }
  }

  #drawTrade(pool: DeployedVenuePool): { from: number; to: number; permille: number } {
    const permille = this.#random.integer(2, 25)
    const first = this.#random.integer(0, pool.tokens.length - 1)
    const second = (first + this.#random.integer(1, pool.tokens.length - 1)) % pool.tokens.length
    const keyOf = (index: number) => `${pool.address}/${index}`
    const { venueTrades: trades } = this.#world
    const isTooMuch = trades.soldOf(keyOf(first)) - trades.soldOf(keyOf(second)) > mostSold
    const [from, to] = isTooMuch ? [second, first] : [first, second]
    trades.sell(keyOf(from), permille)
    trades.sell(keyOf(to), -permille)
    return { from, to, permille }
  }
}
