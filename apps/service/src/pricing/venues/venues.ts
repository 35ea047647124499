import { chainlinkModel } from '../feeds/chainlink.ts'
import type { Pool, PoolType } from '../Pool.ts'
import type { Rational } from '../Rational.ts'
import { algebra } from './algebra/algebra.ts'
import { balancerV2 } from './balancerV2/balancerV2.ts'
import { curve } from './curve/curve.ts'
import { erc4626 } from './erc4626/erc4626.ts'
import { pancakeswapV3 } from './pancakeswapV3/pancakeswapV3.ts'
import { slipstream } from './slipstream/slipstream.ts'
import { solidly } from './solidly/solidly.ts'
import { lido, rocketPool } from './stakingTokens/stakingTokens.ts'
import { uniswapV2 } from './uniswapV2/uniswapV2.ts'
import { uniswapV3 } from './uniswapV3/uniswapV3.ts'
import { uniswapV4 } from './uniswapV4/uniswapV4.ts'
import type { PoolModel, Venue } from './Venue.ts'

/** All venues, by the option of a chain's configuration that lists their factories. */
export const venues = {
  uniswapV2Factories: uniswapV2,
  uniswapV3Factories: uniswapV3,
  uniswapV4Managers: uniswapV4,
  pancakeswapV3Factories: pancakeswapV3,
  slipstreamFactories: slipstream,
  algebraFactories: algebra,
  solidlyFactories: solidly,
  curveFactories: curve,
  balancerV2Factories: balancerV2,
  erc4626Vaults: erc4626,
  rocketPoolTokens: rocketPool,
  lidoTokens: lido,
} as const satisfies Readonly<Record<string, Venue>>

/** The option of a chain's configuration that lists the factories of a venue. */
export type FactoryOption = keyof typeof venues

export const factoryOptions = Object.keys(venues) as FactoryOption[]

/** Creates a record with a value for each venue. */
export function mapVenues<Value>(
  toValue: (option: FactoryOption, venue: Venue) => Value,
): Record<FactoryOption, Value> {
  const entries = factoryOptions.map((option) => [option, toValue(option, venues[option])])
  return Object.fromEntries(entries) as Record<FactoryOption, Value>
}

const models: Readonly<Record<PoolType, PoolModel>> = {
  ...uniswapV2.models,
  ...uniswapV3.models,
  ...uniswapV4.models,
  ...pancakeswapV3.models,
  ...slipstream.models,
  ...algebra.models,
  ...solidly.models,
  ...curve.models,
  ...balancerV2.models,
  ...erc4626.models,
  ...rocketPool.models,
  ...lido.models,
  chainlink: chainlinkModel,
}

/** How the pools of a type are stored, priced and read. */
export function getPoolModel(type: PoolType): PoolModel {
  return models[type]
}

/** Whether the states of a venue's pools are read by calls, as no events contain them. */
export function isRead(option: FactoryOption): boolean {
  const { models }: Venue = venues[option]
  return Object.values(models).some(({ state }) => state === 'balances')
}

/**
 * The exact price of a smallest unit of token 0 in smallest units of token 1, without fees.
 *
 * @returns undefined for a pool without a price.
 */
export function getSpotPrice(pool: Pool): Rational | undefined {
  return models[pool.kind].getSpotPrice(pool)
}

const all: readonly Venue[] = Object.values(venues)

/** First topics of all events of pools and their factories. */
export const poolTopics: readonly string[] = [
  ...new Set(all.flatMap(({ creations, changes }) => Object.keys({ ...creations, ...changes }))),
]

/** Decoders of the events that pools emit themselves, by first topic. Venues with the same event share its decoder. */
export const changeDecoders: ReadonlyMap<string, Venue['changes'][string]> = new Map(
  all.filter(({ isSingleton }) => !isSingleton).flatMap(({ changes }) => Object.entries(changes)),
)
