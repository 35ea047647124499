/** A row's place in its listing: compared part by part, upwards. */
export type SortKey = readonly (number | string)[]

/** Which of two rows comes first. */
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

/** A part of a key by which whole numbers of any size come in order. */
export function upwards(amount: bigint): string {
  return String(amount).padStart(digits, '0')
}

/** A part of a key by which whole numbers of any size come in the opposite order. */
export function downwards(amount: bigint): string {
  return upwards(largest - amount)
}
