import { getSqrtRatioAtTick, getTickAtSqrtRatio, MAX_TICK, MIN_TICK } from './TickMath.ts'

/** The liquidity that a Uniswap V3 pool has between two ticks. */
interface Position {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

/**
 * What the positions of a Uniswap V3 pool that are in range hold of each token, in smallest units, each rounded down as
 * its owner would be paid. A position whose range the price has left holds only one token and takes no part in a
 * swap here: it counts for nothing.
 *
 * In range is `sqrt(lower) <= sqrtPrice < sqrt(upper)`. A price or range that no pool can have, as a broken fork might
 * tell, counts for nothing too. Linear in the positions; those out of range cost a comparison.
 *
 * @param sqrtPrice - the pool's `sqrtPriceX96`; 0 for a pool that was not initialized.
 */
export function inRangeReserves(
  sqrtPrice: bigint,
  positions: Iterable<Position>,
): { reserve0: bigint; reserve1: bigint } {
  let reserve0 = 0n
  let reserve1 = 0n
  if (sqrtPrice < getSqrtRatioAtTick(MIN_TICK)) {
    return { reserve0, reserve1 }
  }
  const tick = getTickAtSqrtRatio(sqrtPrice)
  for (const { tickLower, tickUpper, liquidity } of positions) {
    if (tick < tickLower || tick >= tickUpper || liquidity === 0n) {
      continue
    }
    if (tickLower < MIN_TICK || tickUpper > MAX_TICK) {
      continue
    }
    const lower = getSqrtRatioAtTick(tickLower)
    const upper = getSqrtRatioAtTick(tickUpper)
    reserve0 += ((liquidity << 96n) * (upper - sqrtPrice)) / (upper * sqrtPrice)
    reserve1 += (liquidity * (sqrtPrice - lower)) >> 96n
  }
  return { reserve0, reserve1 }
}
