import type { Decimal } from '../amounts/decimals.ts'

/** Sums decimal numbers of any size exactly, in any order. */
export class DecimalSum {
  /** By exponent, so that an addition needs no power of ten. */
  readonly #coefficients = new Map<number, bigint>()

  add({ coefficient, exponent }: Decimal): void {
    const sum = this.#coefficients.get(exponent) ?? 0n
    this.#coefficients.set(exponent, sum + coefficient)
  }

  addAll(other: DecimalSum): void {
    for (const [exponent, coefficient] of other.#coefficients) {
      this.add({ coefficient, exponent })
    }
  }

  subtractAll(other: DecimalSum): void {
    for (const [exponent, coefficient] of other.#coefficients) {
      this.add({ coefficient: -coefficient, exponent })
    }
  }

  /** The float nearest to the sum. */
  toNumber(): number {
    const minExponent = Math.min(0, ...this.#coefficients.keys())
    let sum = 0n
    for (const [exponent, coefficient] of this.#coefficients) {
      sum += coefficient * 10n ** BigInt(exponent - minExponent)
    }
    // Parsing a decimal literal rounds once, to the nearest float.
    return Number(`${sum}e${minExponent}`)
  }
}
