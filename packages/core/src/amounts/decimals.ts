/** A decimal number of any size and precision: `coefficient` times ten to the power of `exponent`. */
export interface Decimal {
  readonly coefficient: bigint
  readonly exponent: number
}

/** Converts a float to the decimal number it prints as: `0.1` is a tenth, although no float equals a tenth. */
export function toDecimal(value: number): Decimal {
  const [digits = '', exponent] = String(value).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return {
    coefficient: BigInt(whole + fraction),
    exponent: Number(exponent ?? 0) - fraction.length,
  }
}

/**
 * Parses an integer amount in smallest units. Stricter than `BigInt`, which accepts an empty string and hexadecimal.
 *
 * @throws {SyntaxError} when the text is not an integer.
 */
export function parseUnits(amount: string | bigint): bigint {
  if (typeof amount === 'string' && !/^-?\d+$/.test(amount)) {
    throw new SyntaxError(`"${amount}" is not an integer`)
  }
  return BigInt(amount)
}

/** @throws {RangeError} when `decimals` is not an integer of at least 0. */
export function assertDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0) {
    throw new RangeError(`decimals must be an integer >= 0, not ${decimals}`)
  }
}

/** Removes trailing zeros, in linear time: a regular expression is quadratic for many zeros before another digit. */
export function trimZeros(digits: string): string {
  let { length } = digits
  while (digits[length - 1] === '0') {
    length--
  }
  return digits.slice(0, length)
}
