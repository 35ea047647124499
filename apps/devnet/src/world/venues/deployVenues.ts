import { concatHex, encodeAbiParameters, type Hex } from 'viem'
import type { Bytecodes } from '../../contracts/compileContracts.ts'
import { uniswapV3PoolBytecode } from '../../contracts/publishedArtifacts.ts'
import {
  algebraFactoryBytecode,
  algebraPoolDeployerBytecode,
  balancerStableFactoryBytecode,
  balancerVaultBytecode,
  balancerWeightedFactoryBytecode,
  pancakeswapV3FactoryBytecode,
  pancakeswapV3PoolBytecode,
  uniswapV4LiquidityRouterBytecode,
  uniswapV4ManagerBytecode,
  uniswapV4SwapRouterBytecode,
} from '../../contracts/venueArtifacts.ts'
import { getAccount } from '../../scenarios/accounts.ts'
import type { World } from '../World.ts'
import { type DeployedVenues, venueContracts, type VenueToken } from './DeployedVenues.ts'
import { ranger, send, worth } from './venueTransactions.ts'

const treasury = getAccount('treasury').address

/** How many times the depth of its pools the ranger has of each token, and how much of that its contract. */
const heldDepths = 4n
const traderDepths = 2n

/** Deploys the contracts, tokens and vaults of the venues, all owned by the ranger. */
export function deployVenues(world: World, bytecodes: Bytecodes): void {
  const { venues, wrappedNative } = world.deployment
  if (!venues) {
    return
  }
  const deploy = (
    bytecode: Hex,
    types: readonly string[] = [],
    values: readonly unknown[] = [],
  ) => {
    const parameters = encodeAbiParameters(
      types.map((type) => ({ type })),
      values,
    )
    const data = concatHex([bytecode, parameters])
    world.write({ from: ranger, to: undefined, data, value: 0n, gas: 15_000_000 })
  }
  const { contracts } = venues
  const codeOf: Record<keyof DeployedVenues['contracts'], Parameters<typeof deploy>> = {
    trader: [bytecodes.VenueTrader],
    uniswapV4Manager: [uniswapV4ManagerBytecode, ['address'], [ranger]],
    uniswapV4SwapRouter: [uniswapV4SwapRouterBytecode, ['address'], [contracts.uniswapV4Manager]],
    uniswapV4LiquidityRouter: [
      ...([uniswapV4LiquidityRouterBytecode, ['address'], [contracts.uniswapV4Manager]] as const),
    ],
    // No package has the original one.
    pancakeswapV3Deployer: [bytecodes.SlipstreamFactory, ['bytes'], [pancakeswapV3PoolBytecode]],
    pancakeswapV3Factory: [
      ...([pancakeswapV3FactoryBytecode, ['address'], [contracts.pancakeswapV3Deployer]] as const),
    ],
    slipstreamFactory: [bytecodes.SlipstreamFactory, ['bytes'], [uniswapV3PoolBytecode]],
    algebraFactory: [algebraFactoryBytecode, ['address'], [contracts.algebraDeployer]],
    algebraDeployer: [algebraPoolDeployerBytecode, ['address'], [contracts.algebraFactory]],
    solidlyFactory: [bytecodes.SolidlyFactory],
    // Curve has a factory per type.
    curveStableFactory: [bytecodes.CurveFactory],
    curveCryptoFactory: [bytecodes.CurveFactory],
    balancerVault: [
      balancerVaultBytecode,
      ['address', 'address', 'uint256', 'uint256'],
      [ranger, wrappedNative.address, 0n, 0n],
    ],
    balancerWeightedFactory: [
      ...([balancerWeightedFactoryBytecode, ['address'], [contracts.balancerVault]] as const),
    ],
    balancerStableFactory: [
      ...([balancerStableFactoryBytecode, ['address'], [contracts.balancerVault]] as const),
    ],
  }
  for (const name of venueContracts) {
    deploy(...codeOf[name])
  }
  for (const { name, symbol, decimals, supply } of venues.tokens) {
    if (supply > 0n) {
      deploy(
        bytecodes.DevnetToken,
        ['string', 'string', 'uint8', 'uint256', 'address'],
        [name, symbol, decimals, supply * 10n ** BigInt(decimals), ranger],
      )
    } else {
      deploy(
        bytecodes.TokenVault,
        ['string', 'string', 'address'],
        [name, symbol, wrappedNative.address],
      )
    }
  }
}

/** Gives the ranger and its contract what they trade with. */
export function fundVenues(world: World): void {
  const { venues, wrappedNative, tokens } = world.deployment
  if (!venues) {
    return
  }
  const depths = new Map<VenueToken, bigint>()
  for (const pool of venues.pools) {
    for (const token of pool.tokens) {
      depths.set(token, (depths.get(token) ?? 0n) + pool.depthUsd)
    }
  }
  for (const [token, depth] of depths) {
    const amount = worth(token, depth * heldDepths)
    if (token.address === wrappedNative.address) {
      world.deposit(ranger, amount)
    } else if (tokens.some(({ address }) => address === token.address)) {
      world.transfer(token.address, treasury, ranger, amount)
    } else if (token.supply === 0n || token.symbol === 'native') {
      continue
    }
    send(world, token.address, venues.contracts.trader, worth(token, depth * traderDepths))
  }
}
