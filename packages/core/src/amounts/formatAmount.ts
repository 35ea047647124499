import { checkDecimals } from './checkDecimals.ts'
import { readUnits } from './readUnits.ts'

/**
 * How {@link formatAmount} writes.
 *
 * @example
 * import { formatAmount, type FormatAmountOptions } from '@headwater/core'
 * const short: FormatAmountOptions = { maximumFractionDigits: 2, locale: 'de-DE' }
 * formatAmount('1234567890000000000000', 18, short) // '1.234,56'
 */
export interface FormatAmountOptions {
  /** Most digits after the point; what is beyond is cut off, never rounded up. Default: all. */
  readonly maximumFractionDigits?: number
  /** BCP 47 locale for grouping and separators, such as `de-CH`. Default: plain digits with a point, no grouping. */
  readonly locale?: string
}

/**
 * Writes an amount in smallest units as a decimal number of whole tokens, exactly: no float is involved.
 *
 * @param amount - Whole number of smallest units, of any size.
 * @param decimals - Decimals of the token; 0 or more.
 * @param options - Digits and locale.
 * @returns The number as text, without trailing zeros.
 * @throws {@link RangeError} when `decimals` is not a whole number from 0 on; `SyntaxError` when `amount` is no whole
 *   number.
 * @example
 * import { formatAmount } from '@headwater/core'
 * formatAmount('1234567890000000000000', 18) // '1234.56789'
 * formatAmount('1234567890000000000000', 18, { maximumFractionDigits: 2, locale: 'en-US' }) // '1,234.56'
 */
export function formatAmount(
  amount: string | bigint,
  decimals: number,
  { maximumFractionDigits = decimals, locale }: FormatAmountOptions = {},
): string {
  checkDecimals(decimals)
  const units = readUnits(amount)
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits
    .slice(digits.length - decimals)
    .slice(0, Math.max(0, maximumFractionDigits))
    .replace(/0+$/, '')
  const sign = units < 0n && (fraction !== '' || whole !== '0') ? '-' : ''
  if (locale === undefined) return `${sign}${whole}${fraction && `.${fraction}`}`
  return localized(locale, sign, whole, fraction)
}

/** Groups the whole part and writes the fraction in the locale's digits, without a number in between. */
function localized(locale: string, sign: string, whole: string, fraction: string): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: true, maximumFractionDigits: 20 })
  const digits = Array.from({ length: 10 }, (_, digit) => format.format(digit))
  const parts = format.formatToParts(-1.5)
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? ''
  return (
    (sign && part('minusSign')) +
    format.format(BigInt(whole)) +
    (fraction && part('decimal') + fraction.replace(/./g, (digit) => digits[Number(digit)] ?? ''))
  )
}
