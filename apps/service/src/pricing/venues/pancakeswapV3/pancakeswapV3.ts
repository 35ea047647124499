import { toEventSelector } from 'viem/utils'
import { decodePrice } from '../concentrated.ts'
import { createUniswapV3Venue, pancakeswapV3Function } from '../uniswapV3/uniswapV3.ts'
import type { Venue } from '../Venue.ts'

const base = createUniswapV3Venue('pancakeswap-v3', [100, 500, 2500, 10_000])

/** PancakeSwap V3, a fork of Uniswap V3 that adds two protocol fees to the event of a swap. */
export const pancakeswapV3 = {
  ...base,
  furtherFunctions: [...base.furtherFunctions, pancakeswapV3Function],
  changes: {
    ...base.changes,
    [toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)')]:
      (log) => decodePrice(log, { topics: 3, words: 7, priceWord: 2 }),
  },
} satisfies Venue
