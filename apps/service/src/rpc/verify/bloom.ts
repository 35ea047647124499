import type { RawLog } from '../methods/Log.ts'
import { parseBytes } from '../methods/parseHex.ts'
import { hashDigits } from './hashDigits.ts'
import { keccak256 } from './rlp.ts'

/** Bits of a `logsBloom`. */
const bloomBits = 2048
/** A power of two. Most entries repeat: popular tokens, signatures of events, accounts. */
const cacheSize = 2 ** 16
/**
 * The bits of recent entries, each at the place that its last digits give, where a later one with the same place replaces it.
 */
const cachedEntries = new Array<unknown>(cacheSize).fill(Symbol('no entry'))
const cachedBits = new Uint16Array(3 * cacheSize)

/**
 * Whether logs omit an entry of a block's `logsBloom`: it has a bit that none of their addresses and topics sets.
 *
 * They may set further bits: some chains exclude system logs from the bloom filter.
 *
 * @param logs - all logs of the block.
 * @throws {NodeError} when an address or a topic is malformed.
 */
export function omitsEntries(logsBloom: string, logs: readonly RawLog[]): boolean {
  const unmatched = parseWords(logsBloom)
  const remove = (entry: unknown, bytes: number) => {
    const start = 3 * getPlace(entry, bytes)
    for (let index = start; index < start + 3; index++) {
      const bit = cachedBits[index] ?? 0
      const word = bit >> 5
      unmatched[word] = (unmatched[word] ?? 0) & ~(1 << (bit & 31))
    }
  }
  // Adjacent logs are mostly of one contract and one event: most of their entries are those of the log before.
  let last: RawLog | undefined
  for (const log of logs) {
    const { address, topics } = log
    if (!last || address !== last.address) {
      remove(address, 20)
    }
    for (const [index, topic] of topics.entries()) {
      if (index > 0 || !last || topic !== last.topics[0]) {
        remove(topic, 32)
      }
    }
    last = log
  }
  return unmatched.some((word) => word !== 0)
}

/** The bits of a `logsBloom` in words of 32; bit 0, which is the last one of its bytes, is the lowest of the first word. */
function parseWords(logsBloom: string): Int32Array {
  const bytes = Buffer.from(logsBloom.slice(2), 'hex')
  return Int32Array.from({ length: bloomBits / 32 }, (_, word) =>
    bytes.readInt32BE(bytes.length - 4 * (word + 1)),
  )
}

/** Whether a `logsBloom` has all bits of an entry. */
export function mayContain(logsBloom: string, bits: readonly number[]): boolean {
  // Bit 0 is the last one; a hex digit has four.
  return bits.every((bit) => {
    const digit = Number.parseInt(logsBloom.charAt(logsBloom.length - 1 - (bit >> 2)), 16)
    return ((digit >> (bit & 3)) & 1) === 1
  })
}

/** @returns the place of the entry in the cache, which has its bits then. */
function getPlace(entry: unknown, bytes: number): number {
  const place = hashDigits(typeof entry === 'string' ? entry : '') & (cacheSize - 1)
  if (cachedEntries[place] !== entry) {
    cachedBits.set(getBloomBits(parseBytes(entry, bytes)), 3 * place)
    cachedEntries[place] = entry
  }
  return place
}

/**
 * The bits that an address or a topic sets in a `logsBloom` of 2048: the low 11 of each of the first three pairs of
 * bytes of its hash.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf section 4.3.1
 */
export function getBloomBits(entry: string): number[] {
  const hash = keccak256(entry.slice(2))
  return [2, 6, 10].map(
    (start) => Number.parseInt(hash.slice(start, start + 4), 16) & (bloomBits - 1),
  )
}
