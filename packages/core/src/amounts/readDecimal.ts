/** A number of any size and as many digits as it takes: `coefficient` times ten to the `exponent`. */
export interface Decimal {
  readonly coefficient: bigint
  readonly exponent: number
}

/** A float as the decimal number that it is written as: `0.1` is a tenth, though no float is one. */
export function readDecimal(value: number): Decimal {
  const [digits = '', exponent] = String(value).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return {
    coefficient: BigInt(whole + fraction),
    exponent: Number(exponent ?? 0) - fraction.length,
  }
}
