// Decodes ABI-encoded words by slices: the shapes of the events are fixed, and a general decoder would take most of the
// indexing time. `data` is `0x` and hex, a word 64 digits of it.

/** Sender of mints and receiver of burns; its balances are not indexed. */
export const zeroAddress = `0x${'0'.repeat(40)}`

/** The latest decoded addresses, by word. Most recur. */
const addresses = new Map<string, string>()
const maxCachedAddresses = 50_000

/**
 * Decodes the address in a word with `0x`: its last 20 bytes, as viem and ethers do. Contracts in assembly may leave the
 * other bytes unclean. Equal addresses are mostly the same string object with a cached hash, which
 * halves the time of later lookups by it.
 *
 * @returns undefined when the word is missing.
 */
export function decodeAddress(word: string | undefined): string | undefined {
  if (word === undefined) {
    return undefined
  }
  const cached = addresses.get(word)
  if (cached !== undefined) {
    return cached
  }
  if (addresses.size >= maxCachedAddresses) {
    addresses.clear()
  }
  const address = `0x${word.slice(26)}`
  addresses.set(word, address)
  return address
}

/**
 * Decodes the signed number in a word.
 *
 * @returns undefined when the word is missing or exceeds 24 bits.
 */
export function decodeInt24(word: string | undefined): number | undefined {
  if (word === undefined) {
    return undefined
  }
  const low = Number.parseInt(word.slice(-6), 16)
  const value = low < 0x800000 ? low : low - 0x1000000
  const padding = (value < 0 ? 'f' : '0').repeat(58)
  return word.startsWith(padding, 2) ? value : undefined
}

/** Whether data has at least this many words. ABI decoders ignore what follows. */
export function hasWords(data: string, count: number): boolean {
  return data.length >= 2 + 64 * count
}

/** Encodes an address or another unsigned integer, hex with `0x`, as a word. */
export function encodeWord(hex: string): string {
  return `0x${hex.slice(2).padStart(64, '0')}`
}

/** The word at an index, with `0x`. */
export function getWord(data: string, index: number): string {
  return `0x${data.slice(2 + 64 * index, 66 + 64 * index)}`
}

/** The word at an index as an unsigned integer. */
export function getUint(data: string, index: number): bigint {
  return BigInt(getWord(data, index))
}

/** An array in ABI-encoded data. */
export interface EncodedArray {
  /** Index of the first character of its first element. */
  readonly start: number
  /** The number of elements, all of which are present. */
  readonly length: number
}

/**
 * Finds the array at the offset in a word of the data.
 *
 * @param index - of the word.
 * @param elementWords - words per element.
 * @returns undefined when the array would exceed the data, whatever its encoded length.
 */
export function findArray(
  data: string,
  index: number,
  elementWords: number,
): EncodedArray | undefined {
  const offset = numberAt(data, 2 + 64 * index)
  const head = 2 + 2 * offset
  const length = numberAt(data, head)
  const start = head + 64
  // False for NaN, of an offset or a length that is missing or too large.
  return start + 64 * elementWords * length <= data.length ? { start, length } : undefined
}

/** The number in the word that starts at a character; NaN when the word is incomplete or exceeds 48 bits. */
function numberAt(data: string, start: number): number {
  if (!(start + 64 <= data.length)) {
    return NaN
  }
  const digits = data.slice(start, start + 64)
  return digits.startsWith('0'.repeat(52)) ? Number.parseInt(digits.slice(52), 16) : NaN
}
