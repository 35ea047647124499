/**
 * Reads a `bigint` column: block numbers, times and counts fit a number.
 *
 * @throws {RangeError} rather than rounding when one does not.
 */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} does not fit a number safely`)
  }
  return value
}
