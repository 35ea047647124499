/** Lowest tick of a Uniswap V3 pool; the highest is its negative. */
export const minTick = -887_272
export const maxTick = 887_272

/** 2 ** 128 divided by sqrt(1.0001) ** (2 ** bit), as `TickMath.sol` rounds it, for each bit of a tick. */
const factors = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
]
const maxUint256 = 2n ** 256n - 1n
const q32 = 2n ** 32n
const q96 = 2 ** 96
/** The most cached ratios. Pools of the same tick spacing share ticks, so that most lookups hit. */
const maxCached = 200_000
const cache = new Map<number, bigint>()

/**
 * sqrt(1.0001 ** tick) * 2 ** 96: `getSqrtRatioAtTick` of Uniswap V3, with identical rounding.
 *
 * @throws {RangeError} for a tick that no pool can have.
 */
export function getSqrtRatioAtTick(tick: number): bigint {
  const cached = cache.get(tick)
  if (cached !== undefined) {
    return cached
  }
  if (!Number.isInteger(tick) || tick < minTick || tick > maxTick) {
    throw new RangeError(`No pool has the tick ${tick}`)
  }
  let ratio = 1n << 128n
  factors.forEach((factor, bit) => {
    if ((Math.abs(tick) & (1 << bit)) !== 0) {
      ratio = (ratio * factor) >> 128n
    }
  })
  if (tick > 0) {
    ratio = maxUint256 / ratio
  }
  const sqrtRatio = (ratio >> 32n) + (ratio % q32 === 0n ? 0n : 1n)
  if (cache.size >= maxCached) {
    cache.clear()
  }
  cache.set(tick, sqrtRatio)
  return sqrtRatio
}

/**
 * The highest tick with a ratio of at most `sqrtPrice`: `getTickAtSqrtRatio` of Uniswap V3.
 *
 * @param sqrtPrice - square root of the price times 2 ** 96, within the bounds of a pool.
 * @throws {RangeError} below the ratio of the lowest tick.
 */
export function getTickAtSqrtRatio(sqrtPrice: bigint): number {
  // A float is accurate to one tick; the exact ratios decide.
  const estimate = Math.floor((2 * Math.log(Number(sqrtPrice) / q96)) / Math.log(1.0001))
  let tick = Math.min(Math.max(estimate, minTick), maxTick)
  while (getSqrtRatioAtTick(tick) > sqrtPrice) {
    tick -= 1
  }
  while (tick < maxTick && getSqrtRatioAtTick(tick + 1) <= sqrtPrice) {
    tick += 1
  }
  return tick
}
