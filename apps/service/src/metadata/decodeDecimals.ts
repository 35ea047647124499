/**
 * Reads the answer to `decimals()`.
 *
 * @param answer - hex.
 * @returns null when it is not a number from 0 to 255.
 */
export function decodeDecimals(answer: string): number | null {
  return /^0x0{62}[0-9a-f]{2}$/.test(answer) ? Number(answer) : null
}
