import { assertDecimals, trimZeros } from './decimals.ts'

/**
 * Parses an amount of whole tokens, as typed by a user, to smallest units. Exact: no float is involved. The inverse of
 * {@link formatAmount} without a locale.
 *
 * @param text - Decimal number with a point, such as `1.5`, `.5` or `-2`; no grouping and no exponent.
 * @param decimals - Decimals of the token; at least 0.
 * @returns Integer amount in smallest units.
 * @throws {RangeError} when `text` has more fraction digits than the token has decimals (trailing zeros are allowed), or
 *   when `decimals` is not an integer of at least 0.
 * @throws {SyntaxError} when `text` is not a decimal number.
 * @example
 * import { parseAmount } from '@headwater/core'
 * parseAmount('1234.56789', 18) // 1234567890000000000000n
 */
export function parseAmount(text: string, decimals: number): bigint {
  assertDecimals(decimals)
  const [, sign, whole = '', rest = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text.trim()) ?? []
  if (whole + rest === '') {
    throw new SyntaxError(`"${text}" is not a decimal number`)
  }
  const fraction = trimZeros(rest)
  if (fraction.length > decimals) {
    throw new RangeError(`"${text}" has more than ${decimals} fraction digits`)
  }
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign ? -units : units
}
