import { type Address, encodeFunctionData } from 'viem'
import { erc20Abi, oddAbi } from '../contracts/abi.ts'
import { accounts, getAccount } from '../scenarios/accounts.ts'
import type { SeededRandom } from '../seededRandom.ts'
import type { DeployedOddToken } from './Deployment.ts'
import type { World } from './World.ts'

const treasury = getAccount('treasury').address
const trickster = getAccount('sybil').address
const holders = accounts.filter(({ role }) => role === 'collector' || role === 'trader')

/** The treasury distributes odd tokens. The resulting balances are not modelled. */
export function handOutOddTokens(
  world: World,
  random: SeededRandom,
  smallHolders: readonly Address[],
): void {
  for (const token of world.deployment.oddTokens) {
    if (token.supply === 0n) {
      continue
    }
    const receivers = holders.map(({ address }) => address).filter(() => random.chance(50))
    for (const to of [...receivers, ...smallHolders.slice(0, 3)]) {
      transfer(world, token, to, (token.supply * BigInt(random.integer(1, 400))) / 1_000_000n)
    }
    if (token.kind === 'airdropped') {
      airdrop(world, token)
    }
  }
}

/** More holders than a service can read at once. */
const airdropHolders = 2_000

/** Recipients per transaction, within the gas limit of a transaction on Ethereum. */
const airdropBatch = 250

function airdrop(world: World, token: DeployedOddToken): void {
  for (let first = 0; first < airdropHolders; first += airdropBatch) {
    const args = [BigInt(first), BigInt(airdropBatch)] as const
    const data = encodeFunctionData({ abi: oddAbi, functionName: 'airdrop', args })
    world.write({ from: treasury, to: token.address, data, value: 0n, gas: 15_000_000 })
  }
}

/** Generates transactions of odd tokens and of the fake pool. */
export class OddTokenTraffic {
  readonly #world: World
  readonly #random: SeededRandom

  constructor(world: World, random: SeededRandom) {
    this.#world = world
    this.#random = random
  }

  /** Generates a transaction in some blocks. */
  transact(): void {
    const { oddTokens } = this.#world.deployment
    const draw = this.#random.integer(0, 99)
    if (draw === 0) {
      this.#pretend()
    }
    if (oddTokens.length === 0 || draw > 12) {
      return
    }
    const token = this.#random.pick(oddTokens)
    if (token.kind === 'rebasing' && draw < 4) {
      this.#rebase(token)
    } else if (token.supply > 0n) {
      transfer(this.#world, token, this.#random.pick(holders).address, token.supply / 50_000n)
    }
  }

  /** Balances grow or shrink by a thousandth without an event. */
  #rebase(token: DeployedOddToken): void {
    const permille = this.#random.chance(75) ? 1_001n : 999n
    const data = encodeFunctionData({ abi: oddAbi, functionName: 'rebase', args: [permille] })
    this.#world.write({ from: treasury, to: token.address, data, value: 0n, gas: 100_000 })
  }

  /** A contract that is not from a factory emits an inflated price. */
  #pretend(): void {
    const args = [10n ** 24n, BigInt(this.#random.integer(1, 1_000_000)), 2n ** 140n] as const
    const data = encodeFunctionData({ abi: oddAbi, functionName: 'pretend', args })
    const { fakePool } = this.#world.deployment
    this.#world.write({ from: trickster, to: fakePool, data, value: 0n, gas: 150_000 })
  }
}

function transfer(world: World, token: DeployedOddToken, to: Address, amount: bigint): void {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  world.write({ from: treasury, to: token.address, data, value: 0n, gas: 120_000 })
}
