import { checkDecimals } from './checkDecimals.ts'

/**
 * Reads an amount of whole tokens, as people type it, as smallest units, exactly: no float is involved. The inverse of
 * {@link formatAmount} without a locale.
 *
 * @param text - Decimal number with a point, such as `1.5`, `.5` or `-2`; no grouping and no exponent.
 * @param decimals - Decimals of the token; 0 or more.
 * @returns Whole number of smallest units.
 * @throws {@link RangeError} when `text` has more digits after the point than the token has decimals (zeros at the end
 *   do no harm), or `decimals` is not a whole number from 0 on; `SyntaxError` when `text` is no decimal number.
 * @example
 * import { parseAmount } from '@headwater/core'
 * parseAmount('1234.56789', 18) // 1234567890000000000000n
 */
export function parseAmount(text: string, decimals: number): bigint {
  checkDecimals(decimals)
  const [, sign, whole = '', rest = ''] = /^\s*(-?)(\d*)\.?(\d*)\s*$/.exec(text) ?? []
  if (whole + rest === '') throw new SyntaxError(`"${text}" is no decimal number`)
  const fraction = rest.replace(/0+$/, '')
  if (fraction.length > decimals) {
    throw new RangeError(`"${text}" has more than ${decimals} digits after the point`)
  }
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign ? -units : units
}
