/**
 * What all priced entries are worth together, in USD. Small values are not lost beside large ones, whatever the order
 * (Neumaier summation: what each addition rounds away is kept and added at the end).
 *
 * @param balances - Entries with or without `value_usd`; an unpriced one counts nothing.
 * @returns The total in USD; 0 for none.
 * @example
 * import { totalValue } from '@headwater/core'
 * totalValue([{ value_usd: 0.5 }, {}, { value_usd: 0.25 }]) // 0.75
 */
export function totalValue(balances: readonly { readonly value_usd?: number }[]): number {
  let sum = 0
  let lost = 0
  for (const { value_usd: value } of balances) {
    if (value === undefined) continue
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  // Beyond the largest float what is lost is no number.
  return Number.isFinite(sum) ? sum + lost : sum
}
