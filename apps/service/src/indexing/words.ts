// Reading of ABI-encoded words by slices: the shapes of the events are fixed, and a general decoder would cost most of
// the indexing time. `data` is `0x` and hex, a word 64 digits of it.

/** Never holds anything: tokens come from it and go to it. */
export const zeroAddress = `0x${'0'.repeat(40)}`

const addressPadding = `0x${'0'.repeat(24)}`

/** The addresses that were read last, by their words. Most come again and again. */
const addresses = new Map<string, string>()
const mostAddresses = 50_000

/**
 * The address in a word with `0x`, undefined when it holds something else or is missing. Of one address it is mostly the
 * same string, whose hash is known: what is looked up by it is found in half the time.
 */
export function addressIn(word: string | undefined): string | undefined {
  if (word === undefined) return undefined
  const known = addresses.get(word)
  if (known !== undefined) return known
  if (!word.startsWith(addressPadding)) return undefined
  if (addresses.size >= mostAddresses) addresses.clear()
  const address = `0x${word.slice(26)}`
  addresses.set(word, address)
  return address
}

/** Whether data has exactly so many words. */
export function isWords(data: string, count: number): boolean {
  return data.length === 2 + 64 * count
}

/** The word of an index, with `0x`. */
export function wordAt(data: string, index: number): string {
  return `0x${data.slice(2 + 64 * index, 66 + 64 * index)}`
}

/** The word of an index as a whole number. */
export function amountAt(data: string, index: number): bigint {
  return BigInt(wordAt(data, index))
}

/** The signed number in a word, undefined when no 24 bits hold it. */
export function int24In(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const low = Number.parseInt(word.slice(-6), 16)
  const value = low < 0x800000 ? low : low - 0x1000000
  const padding = (value < 0 ? 'f' : '0').repeat(58)
  return word.startsWith(padding, 2) ? value : undefined
}

/** An array in ABI-encoded data. */
export interface EncodedArray {
  /** Index of the first character of its first element. */
  readonly start: number
  /** How many elements; they are all there. */
  readonly length: number
}

/**
 * Finds the array whose offset stands in a word of the data.
 *
 * @param elementWords words an element.
 * @returns undefined when it would reach beyond the data, whatever length it claims.
 */
export function arrayAt(
  data: string,
  word: number,
  elementWords: number,
): EncodedArray | undefined {
  const head = numberAt(data, 2 + 64 * word)
  const at = 2 + 2 * head
  const length = numberAt(data, at)
  const start = at + 64
  // Not a number where something is missing or absurd, which no comparison lets pass.
  return start + 64 * elementWords * length <= data.length ? { start, length } : undefined
}

/** The number in the word that begins at a character; NaN when there is no whole word, or none so small. */
function numberAt(data: string, at: number): number {
  if (!(at + 64 <= data.length)) return NaN
  const digits = data.slice(at, at + 64)
  return digits.startsWith('0'.repeat(52)) ? Number.parseInt(digits.slice(52), 16) : NaN
}
