import type { Address } from 'viem'
import type { Deployment } from './world/Deployment.ts'
import type { DeployedVenues } from './world/venues/DeployedVenues.ts'

/** One entry of `chains` in the configuration file of the service. */
export interface ServiceChainConfig {
  readonly id: number
  readonly name: string
  readonly tags: readonly string[]
  readonly rpcUrls: readonly { readonly url: string; readonly webSocketUrl: string }[]
  readonly nativeCurrency: { name: string; symbol: string; decimals: number }
  readonly wrappedNative: Address
  readonly stablecoins: readonly Address[]
  readonly uniswapV2Factories: readonly Address[]
  readonly uniswapV3Factories: readonly Address[]
  readonly uniswapV4Managers?: readonly Address[]
  readonly pancakeswapV3Factories?: readonly Address[]
  readonly slipstreamFactories?: readonly Address[]
  readonly algebraFactories?: readonly Address[]
  readonly solidlyFactories?: readonly Address[]
  readonly curveFactories?: readonly Address[]
  readonly balancerV2Factories?: readonly Address[]
  readonly erc4626Vaults?: readonly Address[]
  /** Seaport contracts. */
  readonly marketplaces: readonly Address[]
  /** 0, so that a swap changes the price at once. */
  readonly priceWindowMinutes: number
  readonly startBlock: number
  /** Blocks. */
  readonly finalityDepth: number
  readonly pollIntervalMs: number
}

/** Creates the configuration of a devnet chain for the service. */
export function serviceChainConfig(deployment: Deployment, rpcUrl: string): ServiceChainConfig {
  const { scenario, wrappedNative, tokens, factory, concentrated, marketplace, venues } = deployment
  return {
    id: scenario.chainId,
    name: scenario.name,
    tags: ['default', 'devnet'],
    // Anvil serves both on one port.
    rpcUrls: [{ url: rpcUrl, webSocketUrl: rpcUrl.replace(/^http/, 'ws') }],
    nativeCurrency: scenario.nativeCurrency,
    wrappedNative: wrappedNative.address,
    stablecoins: tokens
      .filter(({ symbol }) => scenario.stablecoins.includes(symbol))
      .map(({ address }) => address),
    uniswapV2Factories: [factory],
    uniswapV3Factories: [concentrated.factory],
    ...(venues && listFactories(venues)),
    marketplaces: [marketplace],
    priceWindowMinutes: 0,
    startBlock: 0,
    finalityDepth: 64,
    pollIntervalMs: 500,
  }
}

function listFactories({ contracts, pools }: DeployedVenues) {
  return {
    uniswapV4Managers: [contracts.uniswapV4Manager],
    pancakeswapV3Factories: [contracts.pancakeswapV3Factory],
    slipstreamFactories: [contracts.slipstreamFactory],
    algebraFactories: [contracts.algebraFactory],
    solidlyFactories: [contracts.solidlyFactory],
    curveFactories: [contracts.curveStableFactory, contracts.curveCryptoFactory],
    balancerV2Factories: [contracts.balancerWeightedFactory, contracts.balancerStableFactory],
    erc4626Vaults: pools.flatMap(({ type, address }) => (type === 'erc4626' ? [address] : [])),
  }
}
