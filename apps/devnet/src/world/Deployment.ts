import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbiParameters,
  parseUnits,
} from 'viem'
import { uniswapV2PairBytecode, uniswapV3PoolBytecode } from '../contracts/publishedArtifacts.ts'
import { getAccount } from '../scenarios/accounts.ts'
import type {
  CollectionPlan,
  ConcentratedPoolPlan,
  OddTokenPlan,
  Scenario,
  TokenPlan,
} from '../scenarios/Scenario.ts'
import { type DeployedVenues, placeVenues } from './venues/DeployedVenues.ts'

/** A token of a scenario and its address. */
export interface DeployedToken extends TokenPlan {
  readonly address: Address
  /** Value of one smallest unit, in 10^-48 USD; undefined for a token without a price. */
  readonly unitPrice: bigint | undefined
}

/** A pair of a scenario and its address. */
export interface DeployedPool {
  readonly address: Address
  readonly base: DeployedToken
  readonly quote: DeployedToken
  readonly depthUsd: bigint
  /** The time of its creation in percent of the past. */
  readonly appearsAt: number
}

/** A Uniswap V3 pool of a scenario and its address. */
export interface DeployedConcentratedPool {
  readonly address: Address
  readonly base: DeployedToken
  readonly quote: DeployedToken
  readonly plan: ConcentratedPoolPlan
}

/** A collection of NFTs and its address. */
export interface DeployedCollection extends CollectionPlan {
  readonly address: Address
}

/** An odd token and its address. */
export interface DeployedOddToken extends OddTokenPlan {
  readonly address: Address
}

/** The contracts and pools of Uniswap V3. */
export interface ConcentratedExchange {
  readonly factory: Address
  readonly router: Address
  /** The library that renders positions, and the descriptor that uses it. */
  readonly drawing: Address
  readonly descriptor: Address
  /** The position manager; each position is an ERC721 of it. */
  readonly positions: Address
  readonly pools: readonly DeployedConcentratedPool[]
}

/** All addresses of a scenario, computed before the deployment. */
export interface Deployment {
  readonly scenario: Scenario
  readonly wrappedNative: DeployedToken
  readonly factory: Address
  readonly router: Address
  /** Wrapped native first, then the tokens of the scenario in order. */
  readonly tokens: readonly DeployedToken[]
  readonly pools: readonly DeployedPool[]
  readonly concentrated: ConcentratedExchange
  readonly venues?: DeployedVenues
  readonly conduitController: Address
  /** Seaport. */
  readonly marketplace: Address
  /** A contract that imitates the first pool. */
  readonly fakePool: Address
  readonly collections: readonly DeployedCollection[]
  readonly oddTokens: readonly DeployedOddToken[]
}

/** One USD in the unit of `DeployedToken.unitPrice`. */
export const oneUsd = 10n ** 48n

/** The contracts of the deployer in order: wrapped native, factory, router; then the tokens. */
const firstTokenNonce = 3

/** The contracts of the builder: Uniswap V3, two of Seaport, the fake pool; then collections, then odd tokens. */
const firstCollectionNonce = 8

/**
 * Computes every address of a scenario from the nonces of the deployers and the CREATE2 salts of the factories.
 *
 * @throws {RangeError} when a pool names a token that the scenario does not have
 */
export function deploymentOf(scenario: Scenario): Deployment {
  const wrapped: TokenPlan = {
    symbol: 'WETH',
    name: 'Wrapped Ether',
    decimals: 18,
    supply: 0n,
    priceUsd: scenario.nativePriceUsd,
    volatility: scenario.nativeVolatility,
    appearsAt: 0,
  }
  const wrappedNative = place(wrapped, 0)
  const factory = created(1)
  const tokens = [
    wrappedNative,
    ...scenario.tokens.map((plan, index) => place(plan, firstTokenNonce + index)),
  ]
  const tokenOf = (symbol: string) => {
    const token = tokens.find((candidate) => candidate.symbol === symbol)
    if (!token) {
      throw new RangeError(`${scenario.name} has no token ${symbol}`)
    }
    return token
  }
  const pools = scenario.pools.map(({ base, quote, depthUsd }) => {
    const a = tokenOf(base)
    const b = tokenOf(quote)
    return {
      address: pairAddress(factory, a.address, b.address),
      base: a,
      quote: b,
      depthUsd,
      appearsAt: Math.max(a.appearsAt, b.appearsAt),
    }
  })
  const concentrated = {
    factory: built(0),
    router: built(1),
    drawing: built(2),
    descriptor: built(3),
    positions: built(4),
    pools: scenario.concentratedPools.map((plan) => {
      const base = tokenOf(plan.base)
      const quote = tokenOf(plan.quote)
      const address = concentratedAddress(built(0), base.address, quote.address, plan.fee)
      return { address, base, quote, plan }
    }),
  }
  const { collections, oddTokens } = scenario
  const firstOdd = firstCollectionNonce + collections.length
  return {
    scenario,
    wrappedNative,
    factory,
    router: created(2),
    tokens,
    pools,
    concentrated,
    ...(scenario.venues && { venues: placeVenues(scenario.venues, wrappedNative, tokenOf) }),
    conduitController: built(5),
    marketplace: built(6),
    fakePool: built(7),
    collections: collections.map((plan, index) => ({
      ...plan,
      address: built(firstCollectionNonce + index),
    })),
    oddTokens: oddTokens.map((plan, index) => ({ ...plan, address: built(firstOdd + index) })),
  }
}

function place(plan: TokenPlan, nonce: number): DeployedToken {
  const unitPrice =
    plan.priceUsd === undefined
      ? undefined
      : parseUnits(plan.priceUsd, 48) / 10n ** BigInt(plan.decimals)
  return { ...plan, address: created(nonce), unitPrice }
}

function created(nonce: number, by = 'deployer'): Address {
  const from = getAccount(by).address
  return getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Address
}

function built(nonce: number): Address {
  return created(nonce, 'wright')
}

let pairCodeHash: Hex | undefined

function pairAddress(factory: Address, tokenA: Address, tokenB: Address): Address {
  pairCodeHash ??= keccak256(uniswapV2PairBytecode)
  const [token0, token1] = tokenA < tokenB ? [tokenA, tokenB] : [tokenB, tokenA]
  const salt = keccak256(encodePacked(['address', 'address'], [token0, token1]))
  const address = getCreate2Address({ from: factory, salt, bytecodeHash: pairCodeHash })
  return address.toLowerCase() as Address
}

let poolCodeHash: Hex | undefined

function concentratedAddress(
  from: Address,
  tokenA: Address,
  tokenB: Address,
  fee: number,
): Address {
  poolCodeHash ??= keccak256(uniswapV3PoolBytecode)
  const [token0, token1] = tokenA < tokenB ? [tokenA, tokenB] : [tokenB, tokenA]
  const salt = keccak256(
    encodeAbiParameters(parseAbiParameters('address, address, uint24'), [token0, token1, fee]),
  )
  return getCreate2Address({ from, salt, bytecodeHash: poolCodeHash }).toLowerCase() as Address
}
