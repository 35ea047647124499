import { createUniswapV3Venue } from './createUniswapV3Venue.ts'

/** Uniswap V3 and its forks. */
export const uniswapV3 = createUniswapV3Venue(
  'uniswap-v3',
  // Fees with which pools can be created on the large chains, and those that forks added.
  [100, 200, 300, 400, 500, 2500, 3000, 10_000],
)
