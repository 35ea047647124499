import { toEventSelector } from 'viem/utils'
import { decodeAddress, decodeInt24, getWord, hasWords } from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import { decodePoolAddress, encodeCall, sortTokens } from '../calls.ts'
import { createConcentratedModel } from '../concentrated.ts'
import { uniswapV3Changes } from '../uniswapV3/uniswapV3.ts'
import type { PoolEvent, Venue } from '../Venue.ts'

/** The tick spacings with which pools can be created on Base and OP Mainnet. */
const tickSpacings = [1, 10, 50, 100, 200, 500, 2000]

/** Slipstream, the concentrated liquidity of Velodrome and Aerodrome: pools of Uniswap V3 with a fee that can change. */
export const slipstream = {
  factoryFunction: 'allPoolsLength()',
  furtherFunctions: ['getPool(address,address,int24)', 'tickSpacingToFee(int24)'],
  creations: {
    [toEventSelector('PoolCreated(address,address,int24,address)')]: decodePoolCreated,
  },
  changes: uniswapV3Changes,
  models: { slipstream: createConcentratedModel() },
  findPools: (factory, pair) => {
    const tokens = sortTokens(pair)
    return tickSpacings.map((tickSpacing) => ({
      calls: [encodeCall(factory, 'getPool(address,address,int24)', [...tokens, tickSpacing])],
      decode: ([data]) => {
        const address = decodePoolAddress(data)
        return address
          ? { type: 'slipstream', address, factory, tokens, fee: null, tickSpacing }
          : undefined
      },
    }))
  },
} as const satisfies Venue

function decodePoolCreated({ address: factory, topics, data }: Log): PoolEvent | undefined {
  const token0 = decodeAddress(topics[1])
  const token1 = decodeAddress(topics[2])
  const tickSpacing = decodeInt24(topics[3])
  if (topics.length !== 4 || !hasWords(data, 1) || !token0 || !token1) {
    return undefined
  }
  const address = decodeAddress(getWord(data, 0))
  if (!address || tickSpacing === undefined) {
    return undefined
  }
  const tokens = [token0, token1]
  return { kind: 'pool', type: 'slipstream', address, factory, tokens, fee: null, tickSpacing }
}
