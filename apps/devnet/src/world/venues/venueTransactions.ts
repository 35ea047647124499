import { type Address, encodeFunctionData, type Hex } from 'viem'
import { erc20Abi } from '../../contracts/abi.ts'
import { getAccount } from '../../scenarios/accounts.ts'
import { oneUsd } from '../Deployment.ts'
import type { World } from '../World.ts'
import type { DeployedVenues, VenueToken } from './DeployedVenues.ts'

/** The only account that trades in the venues. The model has its balances in sum with those of the pools. */
export const ranger = getAccount('ranger').address

/** The contracts of the venues. */
export function contractsOf({ deployment }: World): DeployedVenues['contracts'] {
  if (!deployment.venues) {
    throw new RangeError(`${deployment.scenario.name} has no venues`)
  }
  return deployment.venues.contracts
}

/** Adds a transaction of the ranger. */
export function write(world: World, to: Address, data: Hex, value = 0n): void {
  world.write({ from: ranger, to, data, value, gas: 9_000_000 })
}

/** Transfers tokens of the ranger. */
export function send(world: World, token: Address, to: Address, amount: bigint): void {
  const args = [to, amount] as const
  write(world, token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }))
}

/** The amount of a token with this initial value in USD. */
export function worth(token: VenueToken, usd: bigint): bigint {
  return token.unitPrice ? (usd * oneUsd) / token.unitPrice : 0n
}
