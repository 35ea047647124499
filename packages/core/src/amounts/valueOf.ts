import { checkDecimals } from './checkDecimals.ts'
import { readDecimal } from './readDecimal.ts'
import { readUnits } from './readUnits.ts'

/**
 * What an amount is worth at a price, rounded once.
 *
 * The price is taken for the decimal number that it is written as (`0.1` for a tenth, though no float is one), the
 * product is made of whole numbers, and the float nearest to it is the result: for any amount up to the largest there
 * is no error beside that last half of a unit in the last place.
 *
 * @param amount - Whole number of smallest units, of any size.
 * @param decimals - Decimals of the token; 0 or more.
 * @param price - Price of one whole token, such as `price_usd`.
 * @returns The worth, in the currency of the price.
 * @throws {@link RangeError} when `decimals` is not a whole number from 0 on or `price` is not finite; `SyntaxError`
 *   when `amount` is no whole number.
 * @example
 * import { valueOf } from '@headwater/core'
 * valueOf('3000000000000000000', 18, 0.1) // 0.3
 */
export function valueOf(amount: string | bigint, decimals: number, price: number): number {
  checkDecimals(decimals)
  if (!Number.isFinite(price)) throw new RangeError(`price must be finite, not ${price}`)
  const { coefficient, exponent } = readDecimal(price)
  // Reading a decimal number rounds once, and correctly.
  return Number(`${readUnits(amount) * coefficient}e${exponent - decimals}`)
}
