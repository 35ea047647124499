import { toEventSelector } from 'viem/utils'
import {
  decodeAddress,
  decodeInt24,
  getUint,
  getWord,
  hasWords,
  zeroAddress,
} from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import { getConcentratedPrice, isSqrtPrice, toRange } from '../concentrated.ts'
import { maxFee, type PoolEvent, type PoolStateEvent, type Venue } from '../Venue.ts'

/**
 * Permissions of a hook, which are bits of its address (`Hooks.sol`), that let it alter or reject swaps: before and after a
 * swap, and to return differences of the amounts of either.
 */
const swapPermissions = (1 << 7) | (1 << 6) | (1 << 3) | (1 << 2)

/**
 * Uniswap V4: all pools are in one contract, the pool manager. The native currency of a pool counts as wrapped native.
 * Pools with hooks that can alter or reject swaps, with dynamic fees or with high fees are not indexed.
 *
 * No call returns the balances of a pool, so that its state cannot be read by calls.
 */
export const uniswapV4 = {
  factoryFunction: 'protocolFeeController()',
  // The managers of PancakeSwap Infinity lack it.
  furtherFunctions: ['exttload(bytes32)'],
  isSingleton: true,
  creations: {
    [toEventSelector('Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)')]:
      decodeInitialize,
  },
  changes: {
    [toEventSelector('Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)')]:
      decodeSwap,
    [toEventSelector('ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)')]:
      decodeModifyLiquidity,
  },
  models: { 'uniswap-v4': { state: 'concentrated', getSpotPrice: getConcentratedPrice } },
  findPools: () => [],
} as const satisfies Venue

function decodeInitialize(
  { address: factory, topics, data }: Log,
  wrappedNative: string | undefined,
): PoolEvent | undefined {
  const [, id, ...currencies] = topics
  const tokens = currencies.map((word) => {
    const currency = decodeAddress(word)
    return currency === zeroAddress ? wrappedNative : currency
  })
  if (topics.length !== 4 || !hasWords(data, 5) || !id) {
    return undefined
  }
  const [token0, token1] = tokens
  const fee = Number(getUint(data, 0))
  const tickSpacing = decodeInt24(getWord(data, 1))
  const hooks = Number(getUint(data, 2) & 0x3fffn)
  const sqrtPrice = getUint(data, 3)
  if (!token0 || !token1 || token0 === token1 || tickSpacing === undefined) {
    return undefined
  }
  // The flag of a fee that the hook sets at any time (2 ** 23) is more than the highest fee, too.
  if ((hooks & swapPermissions) !== 0 || fee > maxFee || !isSqrtPrice(sqrtPrice)) {
    return undefined
  }
  return {
    kind: 'pool',
    type: 'uniswap-v4',
    address: id,
    factory,
    tokens: [token0, token1],
    fee,
    tickSpacing,
    sqrtPrice,
  }
}

function decodeSwap({ topics, data }: Log): PoolStateEvent | undefined {
  const [, pool] = topics
  if (topics.length !== 3 || !hasWords(data, 6) || !pool) {
    return undefined
  }
  const sqrtPrice = getUint(data, 2)
  return isSqrtPrice(sqrtPrice) ? { kind: 'price', pool, sqrtPrice } : undefined
}

function decodeModifyLiquidity({ topics, data }: Log): PoolStateEvent | undefined {
  const [, pool] = topics
  if (topics.length !== 3 || !hasWords(data, 4) || !pool) {
    return undefined
  }
  const range = toRange(decodeInt24(getWord(data, 0)), decodeInt24(getWord(data, 1)))
  const change = BigInt.asIntN(256, getUint(data, 2))
  return range && { kind: 'liquidity', pool, ...range, change }
}
