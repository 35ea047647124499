import {
  type Address,
  encodePacked,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  parseUnits,
} from 'viem'
import { uniswapV2PairBytecode } from '../contracts/publishedArtifacts.ts'
import { actorNamed } from '../scenarios/actors.ts'
import type { Scenario, TokenPlan } from '../scenarios/Scenario.ts'

/** A token of a scenario and where it is deployed. */
export interface DeployedToken extends TokenPlan {
  readonly address: Address
  /** Value of one smallest unit, in 10^-48 USD; undefined for a token that nothing prices. */
  readonly unitPrice: bigint | undefined
}

/** A pair of a scenario and where the factory puts it. */
export interface DeployedPool {
  readonly address: Address
  readonly base: DeployedToken
  readonly quote: DeployedToken
  readonly depthUsd: bigint
  /** In percent of the past, like that of its tokens. */
  readonly appearsAt: number
}

/** Where everything of a scenario is: known before anything is deployed. */
export interface Deployment {
  readonly scenario: Scenario
  readonly wrappedNative: DeployedToken
  readonly factory: Address
  readonly router: Address
  /** Wrapped native first, then the tokens of the scenario in its order. */
  readonly tokens: readonly DeployedToken[]
  readonly pools: readonly DeployedPool[]
}

/** One USD in the unit of `DeployedToken.unitPrice`. */
export const oneUsd = 10n ** 48n

/** The first contracts of the deployer, in order: wrapped native, factory, router; then the tokens. */
const firstTokenNonce = 3

/**
 * Computes every address of a scenario from the deployer's nonces and the factory's rule for pairs.
 *
 * @throws RangeError when a pool names a token that the scenario does not have
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
    if (!token) throw new RangeError(`${scenario.name} has no token ${symbol}`)
    return token
  }
  const pools = scenario.pools.map(({ base, quote, depthUsd }) => {
    const [a, b] = [tokenOf(base), tokenOf(quote)]
    return {
      address: pairAddress(factory, a.address, b.address),
      base: a,
      quote: b,
      depthUsd,
      appearsAt: Math.max(a.appearsAt, b.appearsAt),
    }
  })
  return { scenario, wrappedNative, factory, router: created(2), tokens, pools }
}

function place(plan: TokenPlan, nonce: number): DeployedToken {
  const unitPrice =
    plan.priceUsd === undefined
      ? undefined
      : parseUnits(plan.priceUsd, 48) / 10n ** BigInt(plan.decimals)
  return { ...plan, address: created(nonce), unitPrice }
}

function created(nonce: number): Address {
  const from = actorNamed('deployer').address
  return getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Address
}

let pairCodeHash: Hex | undefined

function pairAddress(factory: Address, tokenA: Address, tokenB: Address): Address {
  pairCodeHash ??= keccak256(uniswapV2PairBytecode)
  const [token0, token1] = tokenA < tokenB ? [tokenA, tokenB] : [tokenB, tokenA]
  const salt = keccak256(encodePacked(['address', 'address'], [token0, token1]))
  const address = getCreate2Address({ from: factory, salt, bytecodeHash: pairCodeHash })
  return address.toLowerCase() as Address
}
