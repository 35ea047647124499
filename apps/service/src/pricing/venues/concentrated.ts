import { decodeInt24, getUint, hasWords } from '../../indexing/decode/words.ts'
import type { Log } from '../../rpc/methods/Log.ts'
import type { Pool, PoolState } from '../Pool.ts'
import type { Rational } from '../Rational.ts'
import { maxTick, minTick } from '../TickMath.ts'
import { decodeUint } from './balances.ts'
import { encodeCall } from './calls.ts'
import { decodeObserve, encodeObserve } from './observations.ts'
import type { PoolModel, PoolReference, PoolStateEvent, Read, ReadPoolState } from './Venue.ts'

/** Bounds of a pool's price, the upper one excluded: `MIN_SQRT_RATIO` and `MAX_SQRT_RATIO` of `TickMath.sol`. */
const minSqrtPrice = 4_295_128_739n
const maxSqrtPrice = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n

/** Whether a pool can have the price. */
export function isSqrtPrice(sqrtPrice: bigint): boolean {
  return sqrtPrice >= minSqrtPrice && sqrtPrice < maxSqrtPrice
}

/** Decodes an event with the price of the pool that emits it. */
export function decodePrice(
  { address: pool, topics, data }: Log,
  shape: { readonly topics: number; readonly words: number; readonly priceWord: number },
): PoolStateEvent | undefined {
  if (topics.length !== shape.topics || !hasWords(data, shape.words)) {
    return undefined
  }
  const sqrtPrice = getUint(data, shape.priceWord)
  return isSqrtPrice(sqrtPrice) ? { kind: 'price', pool, sqrtPrice } : undefined
}

/** Decodes an event that adds or removes liquidity of the pool that emits it, with the ticks as the last two topics. */
export function decodeLiquidity(
  { address: pool, topics, data }: Log,
  shape: { readonly words: number; readonly liquidityWord: number; readonly sign: bigint },
): PoolStateEvent | undefined {
  if (topics.length !== 4 || !hasWords(data, shape.words)) {
    return undefined
  }
  const range = toRange(decodeInt24(topics[2]), decodeInt24(topics[3]))
  const change = shape.sign * getUint(data, shape.liquidityWord)
  return range && { kind: 'liquidity', pool, ...range, change }
}

/** The range of two ticks, if a pool can have it. */
export function toRange(
  tickLower: number | undefined,
  tickUpper: number | undefined,
): { readonly tickLower: number; readonly tickUpper: number } | undefined {
  return tickLower !== undefined &&
    tickUpper !== undefined &&
    tickLower < tickUpper &&
    tickLower >= minTick &&
    tickUpper <= maxTick
    ? { tickLower, tickUpper }
    : undefined
}

/** The price of a pool with concentrated liquidity. */
export function getConcentratedPrice({ sqrtPrice = 0n }: Pool): Rational | undefined {
  return sqrtPrice > 0n ? { numerator: sqrtPrice * sqrtPrice, denominator: 1n << 192n } : undefined
}

/**
 * Creates the model of a type of pools with concentrated liquidity.
 *
 * @param priceFunction - function of the pool whose first result is `sqrtPriceX96`.
 * @param hasObservations - whether the pool has `observe`.
 */
export function createConcentratedModel({
  priceFunction = 'slot0()',
  hasObservations = true,
} = {}) {
  return {
    state: 'concentrated',
    getSpotPrice: getConcentratedPrice,
    readState: ({ address, tokens }: PoolReference, windowSeconds): Read<ReadPoolState> => ({
      calls: [
        encodeCall(address, priceFunction),
        encodeCall(address, 'liquidity()'),
        ...tokens.map((token) => encodeCall(token, 'balanceOf(address)', [address])),
        ...(hasObservations && windowSeconds > 0 ? [encodeObserve(address, windowSeconds)] : []),
      ],
      decode: ([price = '', ...results]) => {
        const [liquidity, balance0, balance1] = results.slice(0, 3).map((data) => decodeUint(data))
        const sqrtPrice = decodeUint(price) ?? 0n
        if (liquidity === undefined || balance0 === undefined || balance1 === undefined) {
          return undefined
        }
        if (!isSqrtPrice(sqrtPrice)) {
          return undefined
        }
        const reserves = boundReserves(sqrtPrice, liquidity, [balance0, balance1])
        const [observed] = results.slice(3)
        return {
          sqrtPrice,
          ...reserves,
          ...(observed !== undefined && {
            samples: decodeObserve(observed, windowSeconds, reserves),
          }),
        }
      },
    }),
  } as const satisfies PoolModel
}

/** The reserves of liquidity in a range without ends, which exceed those in any range, limited by the pool's balances. */
function boundReserves(
  sqrtPrice: bigint,
  liquidity: bigint,
  [balance0, balance1]: readonly [bigint, bigint],
): Pick<PoolState, 'reserve0' | 'reserve1'> {
  const reserve0 = (liquidity << 96n) / sqrtPrice
  const reserve1 = (liquidity * sqrtPrice) >> 96n
  return {
    reserve0: reserve0 < balance0 ? reserve0 : balance0,
    reserve1: reserve1 < balance1 ? reserve1 : balance1,
  }
}
