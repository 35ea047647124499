/** @throws RangeError when it is no number of decimals. */
export function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0) {
    throw new RangeError(`decimals must be a whole number from 0 on, not ${decimals}`)
  }
}
