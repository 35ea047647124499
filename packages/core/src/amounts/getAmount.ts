import { parseUnits } from './decimals.ts'

/**
 * The amount of an item as a bigint.
 *
 * @param item - A balance of a wallet, a holder or a collectible.
 * @returns Integer amount in smallest units; for a collectible, or a holder of an ERC721 token, the number of tokens owned.
 *   `undefined` for a collectible without a balance.
 * @throws {SyntaxError} when the amount is not an integer. Items of responses always hold an integer.
 * @example
 * import { getAmount } from '@headwater/core'
 * getAmount({ amount: '1500000000000000000' }) * 2n // 3000000000000000000n
 */
export function getAmount(item: { readonly amount: string } | { readonly balance: string }): bigint
export function getAmount(item: { readonly balance?: string }): bigint | undefined
export function getAmount(
  item: { readonly amount: string } | { readonly balance?: string },
): bigint | undefined {
  const amount = 'amount' in item ? item.amount : item.balance
  return amount === undefined ? undefined : parseUnits(amount)
}
