import { assertDecimals, parseUnits, trimZeros } from './decimals.ts'

/**
 * Options of {@link formatAmount}.
 *
 * @example
 * import { formatAmount, type FormatAmountOptions } from '@headwater/core'
 * const short: FormatAmountOptions = { maximumFractionDigits: 2, locale: 'de-DE' }
 * formatAmount('1234567890000000000000', 18, short) // '1.234,56'
 */
export interface FormatAmountOptions {
  /** Maximum number of fraction digits. Further digits are truncated, never rounded up. Default: all. */
  readonly maximumFractionDigits?: number | undefined
  /**
   * BCP 47 locale of grouping and separators, such as `de-CH`. Default: plain digits, a point, no grouping.
   *
   * The symbols come from the ICU data of the runtime, so a server may render other ones than a browser in a few locales,
   * which is a hydration mismatch. The apostrophe of `de-CH` is always `’`; others, such as the groups of `fr-CH`, still
   * differ. To rule it out, format without a locale until the page is hydrated.
   */
  readonly locale?: string | undefined
}

/**
 * Formats an amount in smallest units as a decimal number of whole tokens. Exact: no float is involved.
 *
 * @param amount - Integer amount in smallest units, of any size.
 * @param decimals - Decimals of the token; at least 0. Those of some tokens are unknown, and so is their number of whole tokens:
 *   then undefined.
 * @param options - Fraction digits and locale.
 * @returns The number as text, without trailing zeros; followed by `smallest units` if the decimals are undefined.
 * @throws {RangeError} when `decimals` is not an integer of at least 0.
 * @throws {SyntaxError} when `amount` is not an integer.
 * @example
 * import { formatAmount } from '@headwater/core'
 * formatAmount('1234567890000000000000', 18) // '1234.56789'
 * formatAmount('1234567890000000000000', 18, { maximumFractionDigits: 2, locale: 'en-US' }) // '1,234.56'
 * formatAmount('1234', undefined) // '1234 smallest units'
 */
export function formatAmount(
  amount: string | bigint,
  decimals: number | undefined,
  options: FormatAmountOptions = {},
): string {
  if (decimals === undefined) {
    return `${formatAmount(amount, 0, options)} smallest units`
  }
  const { maximumFractionDigits = decimals, locale } = options
  assertDecimals(decimals)
  const units = parseUnits(amount)
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = trimZeros(
    digits.slice(digits.length - decimals).slice(0, Math.max(0, maximumFractionDigits)),
  )
  const sign = units < 0n && (fraction !== '' || whole !== '0') ? '-' : ''
  if (locale === undefined) {
    return `${sign}${whole}${fraction && `.${fraction}`}`
  }
  return localize(locale, sign, whole, fraction)
}

/** What a locale writes. Creating an `Intl.NumberFormat` takes about 100 times as long as formatting with it. */
interface LocaleSymbols {
  readonly integers: Intl.NumberFormat
  /** The digits 0 to 9. */
  readonly digits: readonly string[]
  readonly minusSign: string
  readonly decimal: string
}

/** By locale. An app uses few of them. */
const symbolsByLocale = /* @__PURE__ */ new Map<string, LocaleSymbols>()

function getSymbols(locale: string): LocaleSymbols {
  let symbols = symbolsByLocale.get(locale)
  if (!symbols) {
    const integers = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
    const parts = integers.formatToParts(-1.5)
    const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
    symbols = {
      integers,
      digits: Array.from({ length: 10 }, (_, digit) => integers.format(digit)),
      minusSign: part('minusSign'),
      decimal: part('decimal'),
    }
    symbolsByLocale.set(locale, symbols)
  }
  return symbols
}

/** Groups the integer part and writes the fraction in the digits of the locale, without converting to a number. */
function localize(locale: string, sign: string, whole: string, fraction: string): string {
  const { integers, digits, minusSign, decimal } = getSymbols(locale)
  return (
    (sign && minusSign) +
    // ICU data of Node.js and of browsers have different apostrophes, which would be a hydration mismatch.
    integers.format(BigInt(whole)).replace(/'/g, '’') +
    (fraction && decimal + fraction.replace(/./g, (digit) => digits[Number(digit)] ?? ''))
  )
}
