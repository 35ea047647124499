import { MAX_TICK, MIN_TICK } from '../pricing/TickMath.ts'
import type { Log } from '../rpc/Log.ts'
import type { Fact, PoolFact } from './Fact.ts'
import { addressIn, amountAt, int24In, isWords, wordAt } from './words.ts'

/** Reads `PairCreated` of a Uniswap V2 factory. */
export function decodePairCreated({ address: factory, topics, data }: Log): PoolFact | undefined {
  const token0 = addressIn(topics[1])
  const token1 = addressIn(topics[2])
  if (topics.length !== 3 || !isWords(data, 2) || !token0 || !token1) return undefined
  const address = addressIn(wordAt(data, 0))
  if (!address) return undefined
  const pool = { type: 'uniswap-v2', fee: null, tickSpacing: null } as const
  return { kind: 'pool', ...pool, address, factory, token0, token1 }
}

/** Reads `PoolCreated` of a Uniswap V3 factory. */
export function decodePoolCreated({ address: factory, topics, data }: Log): PoolFact | undefined {
  const token0 = addressIn(topics[1])
  const token1 = addressIn(topics[2])
  const fee = int24In(topics[3])
  if (topics.length !== 4 || !isWords(data, 2) || !token0 || !token1) return undefined
  const tickSpacing = int24In(wordAt(data, 0))
  const address = addressIn(wordAt(data, 1))
  if (!address || tickSpacing === undefined || fee === undefined) return undefined
  return { kind: 'pool', type: 'uniswap-v3', fee, tickSpacing, address, factory, token0, token1 }
}

/** Reads `Sync` of a V2 pool. */
export function decodeSync({ address: pool, topics, data }: Log): Fact | undefined {
  if (topics.length !== 1 || !isWords(data, 2)) return undefined
  return { kind: 'reserves', pool, reserve0: amountAt(data, 0), reserve1: amountAt(data, 1) }
}

/** Reads the price in a word of `Initialize` or `Swap` of a V3 pool. */
export function decodePrice(
  { address: pool, topics, data }: Log,
  shape: { readonly topics: number; readonly words: number; readonly price: number },
): Fact | undefined {
  if (topics.length !== shape.topics || !isWords(data, shape.words)) return undefined
  const sqrtPrice = amountAt(data, shape.price)
  if (sqrtPrice < lowestSqrtPrice || sqrtPrice >= highestSqrtPrice) return undefined
  return { kind: 'price', pool, sqrtPrice }
}

/** Reads `Mint` or `Burn` of a V3 pool, whose ticks are the last two topics. */
export function decodeLiquidity(
  { address: pool, topics, data }: Log,
  shape: { readonly words: number; readonly liquidity: number; readonly sign: bigint },
): Fact | undefined {
  const tickLower = int24In(topics[2])
  const tickUpper = int24In(topics[3])
  if (topics.length !== 4 || !isWords(data, shape.words)) return undefined
  if (tickLower === undefined || tickUpper === undefined || tickLower >= tickUpper) return undefined
  if (tickLower < MIN_TICK || tickUpper > MAX_TICK) return undefined
  const change = shape.sign * amountAt(data, shape.liquidity)
  return { kind: 'liquidity', pool, tickLower, tickUpper, change }
}

/** What a pool's price may be, the upper end left out: `MIN_SQRT_RATIO` and `MAX_SQRT_RATIO` of `TickMath.sol`. */
const lowestSqrtPrice = 4_295_128_739n
const highestSqrtPrice = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n
