// The integer arithmetic of Uniswap V2 (pair and router), with the rounding of the contracts.

/** Shares of the first mint that are locked at the zero address. */
export const minimumLiquidity = 1_000n

/** The output of a swap of `amountIn`, after the fee of 0.3 %. */
export function amountOut(amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const afterFee = amountIn * 997n
  return (afterFee * reserveOut) / (reserveIn * 1_000n + afterFee)
}

/** The amounts that the router uses for at most `desiredA` and `desiredB`. */
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

/** The shares minted for two amounts; the first mint subtracts `minimumLiquidity`. */
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

/** The largest integer whose square is at most `value`. */
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
 * The swap that moves a pool to a price: the input token and its amount, ignoring the fee.
 *
 * @param priceA - value of one smallest unit of A, in the same unit as `priceB`
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
