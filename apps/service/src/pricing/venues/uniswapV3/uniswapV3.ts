import { toEventSelector } from 'viem/utils'
import {
  decodeAddress,
  decodeInt24,
  getWord,
  hasWords,
  zeroAddress,
} from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import { createConcentratedModel, decodeLiquidity, decodePrice } from '../concentrated.ts'
import { encodeCall } from '../encodeCall.ts'
import type { PoolEvent, Venue } from '../Venue.ts'

/** Fees with which pools can be created without a vote, those that votes added on the large chains, and those of forks. */
const fees = [100, 200, 300, 400, 500, 2500, 3000, 10_000]

/** The events of a pool, which most forks emit as well. */
export const uniswapV3Changes = {
  [toEventSelector('Initialize(uint160,int24)')]: (log) =>
    decodePrice(log, { topics: 1, words: 2, priceWord: 0 }),
  [toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)')]: (log) =>
    decodePrice(log, { topics: 3, words: 5, priceWord: 2 }),
  [toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)')]: (log) =>
    decodeLiquidity(log, { words: 4, liquidityWord: 1, sign: 1n }),
  [toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)')]: (log) =>
    decodeLiquidity(log, { words: 3, liquidityWord: 0, sign: -1n }),
} satisfies Venue['changes']

/** Uniswap V3 and its forks. */
export const uniswapV3 = {
  factoryFunction: 'owner()',
  creations: {
    [toEventSelector('PoolCreated(address,address,uint24,int24,address)')]: decodePoolCreated,
  },
  changes: {
    ...uniswapV3Changes,
    // Of PancakeSwap V3, which adds two fees.
    [toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)')]:
      (log: Log) => decodePrice(log, { topics: 3, words: 7, priceWord: 2 }),
  },
  models: { 'uniswap-v3': createConcentratedModel() },
  findPools: (factory, [a, b]) => {
    const [token0, token1] = a < b ? [a, b] : [b, a]
    return fees.map((fee) => ({
      calls: [
        encodeCall(factory, 'getPool(address,address,uint24)', [token0, token1, fee]),
        encodeCall(factory, 'feeAmountTickSpacing(uint24)', [fee]),
      ],
      decode: ([pool = '', spacing = '']) => {
        const address = hasWords(pool, 1) ? decodeAddress(getWord(pool, 0)) : undefined
        const tickSpacing = hasWords(spacing, 1) ? decodeInt24(getWord(spacing, 0)) : undefined
        return address && address !== zeroAddress && tickSpacing !== undefined
          ? {
              type: 'uniswap-v3' as const,
              address,
              factory,
              tokens: [token0, token1],
              fee,
              tickSpacing,
            }
          : undefined
      },
    }))
  },
} as const satisfies Venue

function decodePoolCreated({ address: factory, topics, data }: Log): PoolEvent | undefined {
  const token0 = decodeAddress(topics[1])
  const token1 = decodeAddress(topics[2])
  const fee = decodeInt24(topics[3])
  if (topics.length !== 4 || !hasWords(data, 2) || !token0 || !token1) {
    return undefined
  }
  const tickSpacing = decodeInt24(getWord(data, 0))
  const address = decodeAddress(getWord(data, 1))
  if (!address || tickSpacing === undefined || fee === undefined) {
    return undefined
  }
  return {
    kind: 'pool',
    type: 'uniswap-v3',
    address,
    factory,
    tokens: [token0, token1],
    fee,
    tickSpacing,
  }
}
