import { maxTick, minTick } from '../../pricing/TickMath.ts'
import type { Log } from '../../rpc/methods/Log.ts'
import type { DecodedEvent, PoolEvent } from './DecodedEvent.ts'
import { decodeAddress, decodeInt24, getUint, getWord, hasWords } from './words.ts'

/** Bounds of a pool's price, the upper one excluded: `MIN_SQRT_RATIO` and `MAX_SQRT_RATIO` of `TickMath.sol`. */
const minSqrtPrice = 4_295_128_739n
const maxSqrtPrice = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n

/** Decodes `PairCreated` of a Uniswap V2 factory. */
export function decodePairCreated({ address: factory, topics, data }: Log): PoolEvent | undefined {
  const token0 = decodeAddress(topics[1])
  const token1 = decodeAddress(topics[2])
  if (topics.length !== 3 || !hasWords(data, 2) || !token0 || !token1) {
    return undefined
  }
  const address = decodeAddress(getWord(data, 0))
  if (!address) {
    return undefined
  }
  return {
    kind: 'pool',
    type: 'uniswap-v2',
    address,
    factory,
    token0,
    token1,
    fee: null,
    tickSpacing: null,
  }
}

/** Decodes `PoolCreated` of a Uniswap V3 factory. */
export function decodePoolCreated({ address: factory, topics, data }: Log): PoolEvent | undefined {
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
  return { kind: 'pool', type: 'uniswap-v3', address, factory, token0, token1, fee, tickSpacing }
}

/** Decodes `Sync` of a V2 pool. */
export function decodeSync({ address: pool, topics, data }: Log): DecodedEvent | undefined {
  if (topics.length !== 1 || !hasWords(data, 2)) {
    return undefined
  }
  return { kind: 'reserves', pool, reserve0: getUint(data, 0), reserve1: getUint(data, 1) }
}

/** Decodes the price in a word of `Initialize` or `Swap` of a V3 pool. */
export function decodePrice(
  { address: pool, topics, data }: Log,
  shape: { readonly topics: number; readonly words: number; readonly priceWord: number },
): DecodedEvent | undefined {
  if (topics.length !== shape.topics || !hasWords(data, shape.words)) {
    return undefined
  }
  const sqrtPrice = getUint(data, shape.priceWord)
  if (sqrtPrice < minSqrtPrice || sqrtPrice >= maxSqrtPrice) {
    return undefined
  }
  return { kind: 'price', pool, sqrtPrice }
}

/** Decodes `Mint` or `Burn` of a V3 pool, with the ticks as the last two topics. */
export function decodeLiquidity(
  { address: pool, topics, data }: Log,
  shape: { readonly words: number; readonly liquidityWord: number; readonly sign: bigint },
): DecodedEvent | undefined {
  const tickLower = decodeInt24(topics[2])
  const tickUpper = decodeInt24(topics[3])
  if (topics.length !== 4 || !hasWords(data, shape.words)) {
    return undefined
  }
  if (tickLower === undefined || tickUpper === undefined || tickLower >= tickUpper) {
    return undefined
  }
  if (tickLower < minTick || tickUpper > maxTick) {
    return undefined
  }
  const change = shape.sign * getUint(data, shape.liquidityWord)
  return { kind: 'liquidity', pool, tickLower, tickUpper, change }
}
