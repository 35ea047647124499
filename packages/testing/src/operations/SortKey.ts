/** The position of a row in its listing: compared part by part, ascending. */
export type SortKey = readonly (number | string)[]

/** Comparator of keys. */
export function compareKeys(a: SortKey, b: SortKey): number {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined || left === right) {
      continue
    }
    return left < right ? -1 : 1
  }
  return 0
}

const largest = 2n ** 256n - 1n
const digits = String(largest).length

/** A part of a key that sorts integers of any size in ascending order. */
export function ascending(amount: bigint): string {
  return String(amount).padStart(digits, '0')
}

/** A part of a key that sorts integers of any size in descending order. */
export function descending(amount: bigint): string {
  return ascending(largest - amount)
}
