/** Newton's method ends after fewer steps in every pool that can be traded with. */
const maxSteps = 255

/**
 * The prices in a pool with the invariant of StableSwap, which Curve and the stable pools of Balancer have:
 * `A n Σx + D = A n D + Dⁿ⁺¹ / (nⁿ Πx)`. They are its partial derivatives, `A n + (Dⁿ⁺¹ / nⁿ Πx) / x`.
 *
 * @param balances - in the unit of the invariant.
 * @param amplification - `A n`, times `precision`.
 * @returns the price of a unit of each token; undefined for a pool with an empty side.
 */
export function getStableSwapPrices(
  balances: readonly bigint[],
  amplification: bigint,
  precision: bigint,
): bigint[] | undefined {
  const invariant = findInvariant(balances, amplification, precision)
  if (invariant === undefined) {
    return undefined
  }
  const product = getProduct(balances, invariant)
  return balances.map(
    (balance) => ((amplification * balance + precision * product) << 128n) / balance,
  )
}

/** Steps of less than this part of an invariant are those of rounding: convergence is quadratic. */
const settled = 10n ** 15n

/**
 * Finds `D` as the contracts do, so that the rounding is the same. It may move by more than a unit from step to step, where
 * balances have more digits than in the contract.
 */
function findInvariant(
  balances: readonly bigint[],
  amplification: bigint,
  precision: bigint,
): bigint | undefined {
  if (balances.some((balance) => balance <= 0n) || precision <= 0n || amplification <= precision) {
    return undefined
  }
  const count = BigInt(balances.length)
  const sum = balances.reduce((total, balance) => total + balance)
  let invariant = sum
  for (let step = 0; step < maxSteps; step++) {
    const product = getProduct(balances, invariant)
    const divisor = ((amplification - precision) * invariant) / precision + (count + 1n) * product
    if (divisor === 0n) {
      return undefined
    }
    const next = (((amplification * sum) / precision + product * count) * invariant) / divisor
    const difference = next > invariant ? next - invariant : invariant - next
    invariant = next
    if (difference <= 1n || difference * settled <= invariant) {
      return invariant
    }
  }
  return undefined
}

/** `Dⁿ⁺¹ / (nⁿ Πx)`. */
function getProduct(balances: readonly bigint[], invariant: bigint): bigint {
  const count = BigInt(balances.length)
  return balances.reduce((product, balance) => (product * invariant) / (balance * count), invariant)
}
