import { assertDecimals, parseUnits, toDecimal } from './decimals.ts'

/**
 * The value of an amount at a price, rounded once.
 *
 * The price is treated as the decimal number it prints as (`0.1` is a tenth), the product is computed with bigints, and the
 * nearest float is returned.
 *
 * @param amount - Integer amount in smallest units, of any size.
 * @param decimals - Decimals of the token; at least 0.
 * @param price - Price of one whole token, such as `price_usd`.
 * @returns The value, in the currency of the price.
 * @throws {RangeError} when `decimals` is not an integer of at least 0, or `price` is not finite.
 * @throws {SyntaxError} when `amount` is not an integer.
 * @example
 * import { getValueUsd } from '@headwater/core'
 * getValueUsd('3000000000000000000', 18, 0.1) // 0.3
 */
export function getValueUsd(amount: string | bigint, decimals: number, price: number): number {
  assertDecimals(decimals)
  if (!Number.isFinite(price)) {
    throw new RangeError(`price must be finite, not ${price}`)
  }
  const { coefficient, exponent } = toDecimal(price)
  // Parsing a decimal literal rounds once, to the nearest float.
  return Number(`${parseUnits(amount) * coefficient}e${exponent - decimals}`)
}
