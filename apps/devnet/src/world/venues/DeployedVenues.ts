import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  numberToHex,
  parseUnits,
  zeroAddress,
} from 'viem'
import { uniswapV3PoolBytecode } from '../../contracts/publishedArtifacts.ts'
import { algebraPoolBytecode, pancakeswapV3PoolBytecode } from '../../contracts/venueArtifacts.ts'
import { getAccount } from '../../scenarios/accounts.ts'
import type { VenuePoolPlan, VenuesPlan } from '../../scenarios/Scenario.ts'

/** A token of a venue. Native is the zero address. */
export interface VenueToken {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** Whole tokens; 0 for the shares of a vault. */
  readonly supply: bigint
  /** Value of one smallest unit, in 10^-48 USD. */
  readonly unitPrice: bigint | undefined
}

/** A pool of a scenario and its address. */
export interface DeployedVenuePool extends Omit<VenuePoolPlan, 'tokens'> {
  /** The contract, or the id of a pool in a singleton. */
  readonly address: Hex
  /** In the order of the pool. */
  readonly tokens: readonly VenueToken[]
}

/** The contracts of the ranger, in the order of their deployment; then the tokens, then the vaults. */
export const venueContracts = [
  'trader',
  'uniswapV4Manager',
  'uniswapV4SwapRouter',
  'uniswapV4LiquidityRouter',
  'pancakeswapV3Deployer',
  'pancakeswapV3Factory',
  'slipstreamFactory',
  'algebraFactory',
  'algebraDeployer',
  'solidlyFactory',
  'curveStableFactory',
  'curveCryptoFactory',
  'balancerVault',
  'balancerWeightedFactory',
  'balancerStableFactory',
] as const

/** The venues of a scenario besides Uniswap V2 and V3, and their addresses. */
export interface DeployedVenues {
  readonly contracts: Readonly<Record<(typeof venueContracts)[number], Address>>
  readonly tokens: readonly VenueToken[]
  readonly pools: readonly DeployedVenuePool[]
  /** The contracts that hold tokens of the pools. */
  readonly holders: readonly Address[]
}

/** Fees and tick spacings of the pools with concentrated liquidity. */
export const spacings = {
  'uniswap-v4': { fee: 3_000, spacing: 60 },
  'pancakeswap-v3': { fee: 2_500, spacing: 50 },
  slipstream: { fee: 3_000, spacing: 200 },
  algebra: { fee: 100, spacing: 60 },
} as const

/**
 * Computes every address of the venues.
 *
 * @param findToken - finds a token of the scenario by its symbol, and throws if there is none.
 */
export function placeVenues(
  plan: VenuesPlan,
  wrappedNative: VenueToken,
  findToken: (symbol: string) => VenueToken,
): DeployedVenues {
  const contracts = Object.fromEntries(
    venueContracts.map((name, nonce) => [name, deployed(nonce)]),
  ) as DeployedVenues['contracts']
  const tokens = plan.tokens.map((token, index): VenueToken => {
    const unitPrice = parseUnits(token.priceUsd ?? '0', 48) / 10n ** BigInt(token.decimals)
    return { ...token, unitPrice, address: deployed(venueContracts.length + index) }
  })
  const vaults = plan.pools
    .filter(({ type }) => type === 'erc4626')
    .map(({ tokens: [symbol = ''] }, index): VenueToken => {
      const address = deployed(venueContracts.length + tokens.length + index)
      return { ...wrappedNative, symbol, name: `${symbol} vault`, address, supply: 0n }
    })
  const native = { ...wrappedNative, symbol: 'native', address: zeroAddress }
  const known = [...tokens, ...vaults, native]
  const pools = plan.pools.map((pool): DeployedVenuePool => {
    const named = pool.tokens.map(
      (symbol) => known.find((token) => token.symbol === symbol) ?? findToken(symbol),
    )
    const isOrdered = pool.type.startsWith('curve') || pool.type === 'erc4626'
    const inOrder = isOrdered ? named : named.toSorted((a, b) => (a.address < b.address ? -1 : 1))
    // Of those that the same contract creates.
    const family = (each: VenuePoolPlan) => each.type.split('-')[0] === pool.type.split('-')[0]
    const before = plan.pools.slice(0, plan.pools.indexOf(pool))
    const order = {
      ofFamily: before.filter(family).length,
      ofType: before.filter(({ type }) => type === pool.type).length,
    }
    return { ...pool, tokens: inOrder, address: locate(pool.type, contracts, inOrder, order) }
  })
  const { trader, uniswapV4Manager, balancerVault } = contracts
  const holders = new Set([
    ...[trader, uniswapV4Manager, balancerVault],
    ...pools.map(({ address }) => address).filter((address) => address.length === 42),
  ])
  return { contracts, tokens: [...tokens, ...vaults], pools, holders: [...holders] }
}

function deployed(nonce: number, from = getAccount('ranger').address): Address {
  return getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Address
}

function locate(
  type: VenuePoolPlan['type'],
  contracts: DeployedVenues['contracts'],
  tokens: readonly VenueToken[],
  order: { readonly ofFamily: number; readonly ofType: number },
): Hex {
  const [token0 = zeroAddress, token1 = zeroAddress] = tokens.map(({ address }) => address)
  switch (type) {
    case 'uniswap-v4':
      return keccak256(encode(Object.values(getPoolKey(tokens))))
    case 'pancakeswap-v3':
    case 'slipstream': {
      const isPancake = type === 'pancakeswap-v3'
      const factory = isPancake ? contracts.pancakeswapV3Factory : contracts.slipstreamFactory
      const { fee, spacing } = spacings[type]
      return create2(
        isPancake ? contracts.pancakeswapV3Deployer : factory,
        encode([factory, token0, token1, fee, spacing]),
        isPancake ? pancakeswapV3PoolBytecode : uniswapV3PoolBytecode,
      )
    }
    case 'algebra':
      return create2(contracts.algebraDeployer, encode([token0, token1]), algebraPoolBytecode)
    case 'solidly-volatile':
    case 'solidly-stable':
      return deployed(1 + order.ofFamily, contracts.solidlyFactory)
    case 'curve-stable':
      return deployed(1 + order.ofType, contracts.curveStableFactory)
    case 'curve-crypto':
      return deployed(1 + order.ofType, contracts.curveCryptoFactory)
    case 'balancer-weighted':
    case 'balancer-stable': {
      const isWeighted = type === 'balancer-weighted'
      const pool = isWeighted
        ? deployed(1 + order.ofType, contracts.balancerWeightedFactory)
        : // After two contracts with the code of its pools.
          deployed(3 + order.ofType, contracts.balancerStableFactory)
      // The id has the kind of the pool, which is that of two tokens, and the number of pools before.
      return concatHex([pool, '0x0002', numberToHex(order.ofFamily, { size: 10 })])
    }
    case 'erc4626':
      return token0
  }
}

/** The key of a pool of Uniswap V4, in the order of its fields. */
export function getPoolKey(tokens: readonly VenueToken[]) {
  const [currency0 = zeroAddress, currency1 = zeroAddress] = tokens.map(({ address }) => address)
  const { fee, spacing: tickSpacing } = spacings['uniswap-v4']
  return { currency0, currency1, fee, tickSpacing, hooks: zeroAddress }
}

/** Encodes addresses and small numbers, which have the same encoding in all integer types. */
function encode(values: readonly (Address | number)[]): Hex {
  return concatHex(
    values.map((value) =>
      typeof value === 'number'
        ? numberToHex(value, { size: 32 })
        : encodeAbiParameters([{ type: 'address' }], [value]),
    ),
  )
}

function create2(from: Address, salt: Hex, bytecode: Hex): Address {
  const options = { from, salt: keccak256(salt), bytecodeHash: keccak256(bytecode) }
  return getCreate2Address(options).toLowerCase() as Address
}
