/**
 * A whole number of smallest units, as an answer writes it.
 *
 * @throws SyntaxError when it is none. `BigInt` alone would take no text at all for 0, and hexadecimal digits.
 */
export function readUnits(amount: string | bigint): bigint {
  if (typeof amount === 'string' && !/^-?\d+$/.test(amount)) {
    throw new SyntaxError(`"${amount}" is no whole number`)
  }
  return BigInt(amount)
}
