/** The unit of the fixed-point numbers here: more digits than the contracts have. */
const one = 10n ** 36n
/** Of `A` and of `gamma` in the contracts. */
const amplificationPrecision = 10_000n
const gammaPrecision = 10n ** 18n

/** The parameters of a pool, as its contract returns them. */
export interface CryptoSwapParameters {
  /** `A nⁿ`, times 10,000. */
  readonly amplification: bigint
  /** Times 10¹⁸. */
  readonly gamma: bigint
  readonly invariant: bigint
}

/**
 * The prices in a pool with the invariant of CryptoSwap: `K Dⁿ⁻¹ Σx + Πx = K Dⁿ + (D/n)ⁿ`, with `K₀ = Πx nⁿ / Dⁿ` and
 * `K = A K₀ γ² / (γ + 1 − K₀)²`. They are its partial derivatives, which the invariant itself reduces to
 * `(2 K₀³ − (2γ + 3) K₀² + (γ + 1)² + A nⁿ γ² K₀ x / D) / x`, as in `get_p` of the contracts.
 *
 * @param balances - in the unit of the invariant.
 * @returns the price of a unit of each token; undefined for a pool with an empty side.
 */
export function getCryptoSwapPrices(
  balances: readonly bigint[],
  { amplification, gamma, invariant }: CryptoSwapParameters,
): bigint[] | undefined {
  if (invariant === 0n || balances.some((balance) => balance === 0n)) {
    return undefined
  }
  const count = BigInt(balances.length)
  const k0 = balances.reduce((product, balance) => (product * balance * count) / invariant, one)
  const g = (gamma * one) / gammaPrecision
  const base =
    (2n * k0 ** 3n) / one ** 2n +
    (g + one) ** 2n / one -
    (k0 ** 2n * (2n * g + 3n * one)) / one ** 2n
  const factor = (amplification * g ** 2n) / (amplificationPrecision * one)
  return balances.map(
    (balance) => ((base + (factor * k0 * balance) / (one * invariant)) << 128n) / balance,
  )
}
