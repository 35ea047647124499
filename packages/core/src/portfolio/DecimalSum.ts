import type { Decimal } from '../amounts/readDecimal.ts'

/** Adds decimal numbers exactly: in any order, of any size, with nothing rounded on the way. */
export class DecimalSum {
  /** By exponent, so that adding needs no powers of ten. */
  readonly #coefficients = new Map<number, bigint>()

  add({ coefficient, exponent }: Decimal): void {
    const known = this.#coefficients.get(exponent) ?? 0n
    this.#coefficients.set(exponent, known + coefficient)
  }

  /** Adds all that another sum holds. */
  addAll(other: DecimalSum): void {
    for (const [exponent, coefficient] of other.#coefficients) this.add({ coefficient, exponent })
  }

  /** Takes away all that another sum holds. */
  subtractAll(other: DecimalSum): void {
    for (const [exponent, coefficient] of other.#coefficients) {
      this.add({ coefficient: -coefficient, exponent })
    }
  }

  /** The float that is nearest to the sum. */
  toNumber(): number {
    const least = Math.min(0, ...this.#coefficients.keys())
    let sum = 0n
    for (const [exponent, coefficient] of this.#coefficients) {
      sum += coefficient * 10n ** BigInt(exponent - least)
    }
    // Reading a decimal number rounds once, and correctly.
    return Number(`${sum}e${least}`)
  }
}
