/** The prices of the tokens in a pool with these balances: the partial derivatives of its invariant, in any unit. */
export type Curve = (balances: readonly number[]) => number[]

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const multiply = (values: readonly number[]) => values.reduce((total, value) => total * value, 1)

/** The root of a function that falls from a positive to a negative value. */
function findRoot(low: number, high: number, evaluate: (value: number) => number): number {
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) {
      return middle
    }
    if (evaluate(middle) > 0) {
      low = middle
    } else {
      high = middle
    }
  }
}

/** Of `x³y + xy³`. */
export function getSolidlyStablePrices([x = NaN, y = NaN]: readonly number[]): number[] {
  return [3 * x ** 2 * y + y ** 3, x ** 3 + 3 * x * y ** 2]
}

/** Of `A n Σx + D = A n D + Dⁿ⁺¹ / (nⁿ Πx)`. */
export function getStableSwapPrices(balances: readonly number[], amplification: number): number[] {
  const n = balances.length
  const total = sum(balances)
  const getLast = (d: number) => balances.reduce((value, x) => (value * d) / (n * x), d)
  const d = findRoot(
    0,
    2 * total,
    (each) => amplification * n * (total - each) + each - getLast(each),
  )
  return balances.map((x) => amplification * n + getLast(d) / x)
}

/** Of `K Dⁿ⁻¹ Σx + Πx = K Dⁿ + (D / n)ⁿ` with `K = A K₀ γ² / (γ + 1 − K₀)²` and `K₀ = nⁿ Πx / Dⁿ`. */
export function getCryptoSwapPrices(
  balances: readonly number[],
  amplification: number,
  gamma: number,
): number[] {
  const n = balances.length
  const total = sum(balances)
  const product = multiply(balances)
  const terms = (d: number) => {
    const k0 = (product * n ** n) / d ** n
    const distance = gamma + 1 - k0
    const k = (amplification * k0 * gamma ** 2) / distance ** 2
    return { k, k0, distance }
  }
  // It is at least n times the geometric mean, and at most the sum.
  const d = findRoot(n * product ** (1 / n) * (1 - 1e-12), total, (each) => {
    return terms(each).k * each ** (n - 1) * (total - each) + product - (each / n) ** n
  })
  const { k, distance } = terms(d)
  const slope = 1 + (2 * terms(d).k0) / distance
  return balances.map(
    (x) => (k * slope * d ** (n - 1) * (total - d)) / x + k * d ** (n - 1) + product / x,
  )
}
