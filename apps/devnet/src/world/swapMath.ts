// The arithmetic of Uniswap V2 (pair and router), in whole numbers and rounded as the contracts round.

/** Shares that the first provider of a pair can never take out; they belong to the zero address. */
export const minimumLiquidity = 1_000n

/** What a swap of `amountIn` pays out, after the fee of 0.3 %. */
export function amountOut(amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const afterFee = amountIn * 997n
  return (afterFee * reserveOut) / (reserveIn * 1_000n + afterFee)
}

/** The two amounts that the router takes when at most `desiredA` and `desiredB` are offered. */
export function amountsToAdd(
  desiredA: bigint,
  desiredB: bigint,
  reserveA: bigint,
  reserveB: bigint,
): [bigint, bigint] {
  if (reserveA === 0n && reserveB === 0n) {
    return [desiredA, desiredB]
  }
  const optimalB = (desiredA * reserveB) / reserveA
  if (optimalB <= desiredB) {
    return [desiredA, optimalB]
  }
  return [(desiredB * reserveA) / reserveB, desiredB]
}

/** The shares minted for two amounts; the first mint leaves `minimumLiquidity` out. */
export function sharesMinted(
  [amount0, amount1]: readonly [bigint, bigint],
  [reserve0, reserve1]: readonly [bigint, bigint],
  totalShares: bigint,
): bigint {
  if (totalShares === 0n) {
    return squareRoot(amount0 * amount1) - minimumLiquidity
  }
  const by0 = (amount0 * totalShares) / reserve0
  const by1 = (amount1 * totalShares) / reserve1
  return by0 < by1 ? by0 : by1
}

/** The largest whole number whose square is at most `value`. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) {
    return value
  }
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const better = (root + value / root) >> 1n
    if (better >= root) {
      return root
    }
    root = better
  }
}

/**
 * The swap that brings a pool to a price: which side to pay in, and how much (the fee is left aside).
 *
 * @param priceA - value of one smallest unit of A, in any unit that `priceB` shares
 */
export function swapToPrice(
  reserveA: bigint,
  reserveB: bigint,
  priceA: bigint,
  priceB: bigint,
): { payIn: 'a' | 'b'; amountIn: bigint } {
  // At the target, reserveA * priceA = reserveB * priceB while reserveA * reserveB stays.
  const product = reserveA * reserveB
  const targetA = squareRoot((product * priceB) / priceA)
  if (targetA >= reserveA) {
    return { payIn: 'a', amountIn: targetA - reserveA }
  }
  const targetB = squareRoot((product * priceA) / priceB)
  return { payIn: 'b', amountIn: targetB > reserveB ? targetB - reserveB : 0n }
}
