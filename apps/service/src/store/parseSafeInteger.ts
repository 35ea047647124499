/**
 * Parses a `bigint` column as a number, which is sufficient for block numbers, times and counts.
 *
 * @throws {RangeError} when the number would be rounded.
 */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} exceeds the safe integers`)
  }
  return value
}
