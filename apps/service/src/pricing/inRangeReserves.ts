import { getSqrtRatioAtTick, getTickAtSqrtRatio, maxTick, minTick } from './TickMath.ts'

/** The liquidity that a Uniswap V3 pool has between two ticks. */
interface Position {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

/**
 * The amounts of each token in the positions in range of a Uniswap V3 pool, in smallest units. The amount of each position
 * is rounded down, like a withdrawal. Positions out of range hold only one token and are not part of the current
 * liquidity, so that they are ignored.
 *
 * In range means `sqrt(lower) <= sqrtPrice < sqrt(upper)`. Invalid prices and ranges, as a faulty fork might emit, are
 * ignored, too.
 *
 * @param sqrtPrice - the pool's `sqrtPriceX96`; 0 for a pool that was not initialized.
 */
export function inRangeReserves(
  sqrtPrice: bigint,
  positions: Iterable<Position>,
): { reserve0: bigint; reserve1: bigint } {
  let reserve0 = 0n
  let reserve1 = 0n
  if (sqrtPrice < getSqrtRatioAtTick(minTick)) {
    return { reserve0, reserve1 }
  }
  const tick = getTickAtSqrtRatio(sqrtPrice)
  for (const { tickLower, tickUpper, liquidity } of positions) {
    if (tick < tickLower || tick >= tickUpper || liquidity === 0n) {
      continue
    }
    if (tickLower < minTick || tickUpper > maxTick) {
      continue
    }
    const lower = getSqrtRatioAtTick(tickLower)
    const upper = getSqrtRatioAtTick(tickUpper)
    reserve0 += ((liquidity << 96n) * (upper - sqrtPrice)) / (upper * sqrtPrice)
    reserve1 += (liquidity * (sqrtPrice - lower)) >> 96n
  }
  return { reserve0, reserve1 }
}
