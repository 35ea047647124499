import { readUnits } from './readUnits.ts'

/**
 * The amount of an item as a number to calculate with, exactly.
 *
 * @param item - A balance of a wallet, a holder or a collectible.
 * @returns Whole number of smallest units; of a collectible, or a holder of an ERC721 token, how many are owned;
 *   `undefined` of a collectible that does not tell.
 * @throws {@link SyntaxError} when the amount is no whole number, which no item of an answer is.
 * @example
 * import { amountOf } from '@headwater/core'
 * amountOf({ amount: '1500000000000000000' }) * 2n // 3000000000000000000n
 */
export function amountOf(item: { readonly amount: string } | { readonly balance: string }): bigint
export function amountOf(item: { readonly balance?: string }): bigint | undefined
export function amountOf(
  item: { readonly amount: string } | { readonly balance?: string },
): bigint | undefined {
  const amount = 'amount' in item ? item.amount : item.balance
  return amount === undefined ? undefined : readUnits(amount)
}
