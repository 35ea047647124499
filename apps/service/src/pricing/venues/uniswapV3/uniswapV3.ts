import { toEventSelector } from 'viem/utils'
import { decodeAddress, decodeInt24, getWord, hasWords } from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import type { PoolType } from '../../Pool.ts'
import { decodePoolAddress, encodeCall, sortTokens } from '../calls.ts'
import { createConcentratedModel, decodeLiquidity, decodePrice } from '../concentrated.ts'
import { maxFee, type Venue } from '../Venue.ts'

/** The events of a pool, which forks emit as well. */
export const uniswapV3Changes: Venue['changes'] = {
  [toEventSelector('Initialize(uint160,int24)')]: (log) =>
    decodePrice(log, { topics: 1, words: 2, priceWord: 0 }),
  [toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)')]: (log) =>
    decodePrice(log, { topics: 3, words: 5, priceWord: 2 }),
  [toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)')]: (log) =>
    decodeLiquidity(log, { words: 4, liquidityWord: 1, sign: 1n }),
  [toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)')]: (log) =>
    decodeLiquidity(log, { words: 3, liquidityWord: 0, sign: -1n }),
}

/**
 * Creates a venue with the factory of Uniswap V3.
 *
 * @param fees - those with which pools are searched, in hundredths of a basis point.
 */
export function createUniswapV3Venue<Type extends PoolType>(type: Type, fees: readonly number[]) {
  return {
    factoryFunction: 'owner()',
    furtherFunctions: ['getPool(address,address,uint24)', 'feeAmountTickSpacing(uint24)'],
    creations: {
      [toEventSelector('PoolCreated(address,address,uint24,int24,address)')]: (log) =>
        decodePoolCreated(log, type),
    },
    changes: uniswapV3Changes,
    models: { [type]: createConcentratedModel() } as Record<
      Type,
      ReturnType<typeof createConcentratedModel>
    >,
    findPools: (factory, pair) => {
      const tokens = sortTokens(pair)
      return fees.map((fee) => ({
        calls: [
          encodeCall(factory, 'getPool(address,address,uint24)', [...tokens, fee]),
          encodeCall(factory, 'feeAmountTickSpacing(uint24)', [fee]),
        ],
        decode: ([pool, spacing = '']) => {
          const address = decodePoolAddress(pool)
          const tickSpacing = hasWords(spacing, 1) ? decodeInt24(getWord(spacing, 0)) : undefined
          return address && tickSpacing !== undefined
            ? { type, address, factory, tokens, fee, tickSpacing }
            : undefined
        },
      }))
    },
  } satisfies Venue
}

function decodePoolCreated(
  { address: factory, topics, data }: Log,
  type: PoolType,
): ReturnType<Venue['creations'][string]> {
  const token0 = decodeAddress(topics[1])
  const token1 = decodeAddress(topics[2])
  const fee = decodeInt24(topics[3])
  if (topics.length !== 4 || !hasWords(data, 2) || !token0 || !token1) {
    return undefined
  }
  const tickSpacing = decodeInt24(getWord(data, 0))
  const address = decodeAddress(getWord(data, 1))
  if (!address || tickSpacing === undefined || fee === undefined || fee > maxFee) {
    return undefined
  }
  return { kind: 'pool', type, address, factory, tokens: [token0, token1], fee, tickSpacing }
}

/** A function of the factory of PancakeSwap V3, which has all those of Uniswap V3 as well. */
export const pancakeswapV3Function = 'feeAmountTickSpacingExtraInfo(uint24)'

/** Uniswap V3 and its forks. */
export const uniswapV3 = {
  ...createUniswapV3Venue(
    'uniswap-v3',
    // Fees with which pools can be created on the large chains, and those that forks added.
    [100, 200, 300, 400, 500, 2500, 3000, 10_000],
  ),
  foreignFunctions: [pancakeswapV3Function],
} satisfies Venue
