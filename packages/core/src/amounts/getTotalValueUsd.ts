/**
 * The total value of all priced items in USD. Uses Neumaier summation, so that small values are not lost next to large
 * ones, in any order.
 *
 * @param balances - Items with or without `value_usd`; unpriced items count as 0.
 * @returns The total in USD; 0 for no items.
 * @example
 * import { getTotalValueUsd } from '@headwater/core'
 * getTotalValueUsd([{ value_usd: 0.5 }, {}, { value_usd: 0.25 }]) // 0.75
 */
export function getTotalValueUsd(balances: readonly { readonly value_usd?: number }[]): number {
  let sum = 0
  let compensation = 0
  for (const { value_usd: value } of balances) {
    if (value === undefined) {
      continue
    }
    const next = sum + value
    compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  // The compensation of an infinite sum is NaN.
  return Number.isFinite(sum) ? sum + compensation : sum
}
