import { formatAmount } from '@headwater/core'
import { locales } from './locales.ts'

/** The number and time formats of the page. */
export type Formats = ReturnType<typeof createFormats>

const dash = '—'

/**
 * Creates the formats of a locale. Undefined numbers are formatted as a dash.
 *
 * @param locale - BCP 47 locale.
 */
export function createFormats(locale: string = locales[0].tag) {
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options)
    return (value: number | undefined) => (value === undefined ? dash : format.format(value))
  }
  const dateTime = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options)
    return (value: string | number | undefined) => {
      const date = new Date(value ?? '')
      return Number.isNaN(date.getTime()) ? '' : format.format(date)
    }
  }
  const currency = { style: 'currency', currency: 'USD' } as const
  const plainUsd = number(currency)
  const signedShare = number({
    style: 'percent',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: 'exceptZero',
  })
  // Not `maximumSignificantDigits`, which would omit the cents of 0.50.
  const exactUsd = number({ ...currency, maximumFractionDigits: 20 })

  /** An amount in whole tokens, or in smallest units if the decimals are unknown; invalid amounts are returned unchanged. */
  function amount(units: string, decimals: number | undefined): string {
    try {
      return formatAmount(units, decimals, { locale })
    } catch {
      return units
    }
  }

  return {
    locale,
    amount,
    /** A price or a value, with cents; below 1 USD with four significant digits if they are more. */
    usd: (value: number | undefined) =>
      value !== undefined && Math.abs(value) < 1
        ? exactUsd(Number(value.toPrecision(4)))
        : plainUsd(value),
    /** A large value in few digits. */
    shortUsd: number({ ...currency, notation: 'compact', maximumSignificantDigits: 4 }),
    /** A change of a value, with its sign. */
    signedUsd: number({ ...currency, signDisplay: 'exceptZero' }),
    /** A change in percent (5 for 5 %), with its sign. */
    change: (percent: number | undefined) => signedShare(percent && percent / 100),
    /** A share from 0 to 1. */
    share: number({ style: 'percent', maximumFractionDigits: 2 }),
    count: number({}),
    time: dateTime({ timeStyle: 'medium', hourCycle: 'h23' }),
    date: dateTime({ dateStyle: 'medium' }),
    /** Ticks of a chart's time axis. */
    day: dateTime({ day: 'numeric', month: 'short' }),
    hour: dateTime({ timeStyle: 'short', hourCycle: 'h23' }),
    dateTime: dateTime({ dateStyle: 'medium', timeStyle: 'short' }),
  }
}
