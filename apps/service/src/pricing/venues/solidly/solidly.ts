import { toEventSelector } from 'viem/utils'
import { decodeAddress, getUint, getWord, hasWords } from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import type { Pool } from '../../Pool.ts'
import type { Rational } from '../../Rational.ts'
import { decodePoolAddress, encodeCall, sortTokens } from '../calls.ts'
import { decodeSync, readReserves, uniswapV2 } from '../uniswapV2/uniswapV2.ts'
import type { PoolEvent, Venue } from '../Venue.ts'

/** More decimals than 10 ** decimals fits in 256 bits; no pool can be created with such a token. */
const maxDecimals = 77

/**
 * Solidly and its forks, as Velodrome and Aerodrome: one factory with volatile pools, which have the curve x y = k of
 * Uniswap V2, and stable pools with x³y + xy³ = k. Fees leave a pool, so that its reserves do not contain them. The factories
 * of Solidly 1 name pools pairs.
 */
export const solidly = {
  factoryFunction: 'volatileFee()',
  creations: {
    [toEventSelector('PoolCreated(address,address,bool,address,uint256)')]: decodePoolCreated,
    // Of Solidly 1, where the third parameter is not a topic.
    [toEventSelector('PairCreated(address,address,bool,address,uint256)')]: (log) =>
      decodePoolCreated({
        ...log,
        topics: [...log.topics, log.data.slice(0, 66)],
        data: `0x${log.data.slice(66)}`,
      }),
  },
  changes: { [toEventSelector('Sync(uint256,uint256)')]: decodeSync },
  models: {
    'solidly-volatile': uniswapV2.models['uniswap-v2'],
    'solidly-stable': {
      state: 'reserves',
      hasShares: true,
      getSpotPrice: getStablePrice,
      readState: readReserves,
    },
  },
  findPools: (factory, pair) => {
    const tokens = sortTokens(pair)
    return (['solidly-volatile', 'solidly-stable'] as const).map((type) => ({
      calls: ['getPool(address,address,bool)', 'getPair(address,address,bool)'].map((signature) =>
        encodeCall(factory, signature, [...tokens, type === 'solidly-stable' ? 1 : 0]),
      ),
      decode: ([pool, pair]) => {
        const address = decodePoolAddress(pool) ?? decodePoolAddress(pair)
        return address
          ? { type, address, factory, tokens, fee: null, tickSpacing: null }
          : undefined
      },
    }))
  },
} as const satisfies Venue

/**
 * The slope of x³y + xy³ = k, where x and y are the reserves in whole tokens: dy / dx = y (3x² + y²) / x (x² + 3y²).
 *
 * @returns undefined for tokens with unknown decimals.
 */
function getStablePrice({
  reserve0,
  reserve1,
  decimals0 = Infinity,
  decimals1 = Infinity,
}: Pool): Rational | undefined {
  if (reserve0 === 0n || reserve1 === 0n || Math.max(decimals0, decimals1) > maxDecimals) {
    return undefined
  }
  const unit0 = 10n ** BigInt(decimals0)
  const unit1 = 10n ** BigInt(decimals1)
  // Both times unit0 * unit1, which the slope does not depend on.
  const x = reserve0 * unit1
  const y = reserve1 * unit0
  return {
    numerator: y * (3n * x * x + y * y) * unit1,
    denominator: x * (x * x + 3n * y * y) * unit0,
  }
}

function decodePoolCreated({ address: factory, topics, data }: Log): PoolEvent | undefined {
  const token0 = decodeAddress(topics[1])
  const token1 = decodeAddress(topics[2])
  const [, , , stable] = topics
  if (!stable || !hasWords(data, 2) || !token0 || !token1) {
    return undefined
  }
  const address = decodeAddress(getWord(data, 0))
  if (!address) {
    return undefined
  }
  return {
    kind: 'pool',
    type: getUint(stable, 0) === 0n ? 'solidly-volatile' : 'solidly-stable',
    address,
    factory,
    tokens: [token0, token1],
    fee: null,
    tickSpacing: null,
  }
}
