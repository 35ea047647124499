import { formatAmount, type Balance } from '@headwater/core'

import { locale } from './locale.ts'

const usd = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
const smallUsd = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 4,
})

/**
 * The amount in whole tokens, every digit of it; in smallest units where the decimals are unknown; as the service tells
 * it where that is no amount.
 */
export function amountText({ amount, decimals }: Balance): string {
  try {
    if (decimals === undefined) return `${formatAmount(amount, 0, { locale })} smallest units`
    return formatAmount(amount, decimals, { locale })
  } catch {
    return amount
  }
}

/** A price or a value in USD; a dash where there is none. */
export function usdText(value: number | undefined): string {
  if (value === undefined) return '—'
  return value !== 0 && Math.abs(value) < 1 ? smallUsd.format(value) : usd.format(value)
}
