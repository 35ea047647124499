import { toEventSelector } from 'viem'

/** First topics of the events of Uniswap V2 and V3, and of their forks. */
export const poolTopics = {
  pairCreated: toEventSelector('PairCreated(address,address,address,uint256)'),
  sync: toEventSelector('Sync(uint112,uint112)'),
  poolCreated: toEventSelector('PoolCreated(address,address,uint24,int24,address)'),
  initialize: toEventSelector('Initialize(uint160,int24)'),
  mint: toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)'),
  burn: toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)'),
  swap: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  /** Of PancakeSwap V3. */
  swapWithFees: toEventSelector(
    'Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)',
  ),
} as const
