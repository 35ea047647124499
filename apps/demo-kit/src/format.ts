import { formatAmount, type Balance } from '@headwater/core'

const locale = 'en-US'
const usd = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
const smallUsd = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 4,
})
const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' })

/** The amount in whole tokens, every digit of it; in smallest units where the decimals are unknown. */
export function amountText({ amount, decimals }: Balance): string {
  if (decimals === undefined) return `${formatAmount(amount, 0, { locale })} smallest units`
  return formatAmount(amount, decimals, { locale })
}

/** A price or a value in USD; a dash where there is none. */
export function usdText(value: number | undefined): string {
  if (value === undefined) return '—'
  return value !== 0 && Math.abs(value) < 1 ? smallUsd.format(value) : usd.format(value)
}

/** The time of day of an ISO 8601 moment. */
export function timeText(moment: string): string {
  return time.format(new Date(moment))
}
