import { toEventSelector } from 'viem/utils'
import { decodeAddress, getWord, hasWords } from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import { decodePoolAddress, encodeCall, sortTokens } from '../calls.ts'
import { createConcentratedModel, decodeLiquidity, decodePrice } from '../concentrated.ts'
import { uniswapV3Changes } from '../uniswapV3/uniswapV3.ts'
import type { PoolEvent, Venue } from '../Venue.ts'

/**
 * Algebra 1 and Integral (QuickSwap V3, Camelot, THENA, Swapr): the events of Uniswap V3, a pool per pair, and a fee that
 * changes with each swap. Pools of custom deployers (`CustomPool`) are not indexed: their plugins may do anything.
 */
export const algebra = {
  factoryFunction: 'poolDeployer()',
  furtherFunctions: ['poolByPair(address,address)'],
  creations: { [toEventSelector('Pool(address,address,address)')]: decodePool },
  changes: {
    ...uniswapV3Changes,
    // Of Integral 1.2, with the fees of the plugin.
    [toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)')]: (
      log,
    ) => decodePrice(log, { topics: 3, words: 7, priceWord: 2 }),
    [toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256,uint24)')]: (log) =>
      decodeLiquidity(log, { words: 4, liquidityWord: 0, sign: -1n }),
  },
  // The plugin of a pool has its observations.
  models: {
    algebra: createConcentratedModel({ priceFunction: 'globalState()', hasObservations: false }),
  },
  findPools: (factory, pair) => {
    const tokens = sortTokens(pair)
    return [
      {
        calls: [encodeCall(factory, 'poolByPair(address,address)', tokens)],
        decode: ([data]) => {
          const address = decodePoolAddress(data)
          return address
            ? { type: 'algebra', address, factory, tokens, fee: null, tickSpacing: null }
            : undefined
        },
      },
    ]
  },
} as const satisfies Venue

function decodePool({ address: factory, topics, data }: Log): PoolEvent | undefined {
  const token0 = decodeAddress(topics[1])
  const token1 = decodeAddress(topics[2])
  if (topics.length !== 3 || !hasWords(data, 1) || !token0 || !token1) {
    return undefined
  }
  const address = decodeAddress(getWord(data, 0))
  if (!address) {
    return undefined
  }
  return {
    kind: 'pool',
    type: 'algebra',
    address,
    factory,
    tokens: [token0, token1],
    fee: null,
    tickSpacing: null,
  }
}
