import type { RawLog } from '../methods/Log.ts'
import { parseBytes } from '../methods/parseHex.ts'
import { keccak256 } from './rlp.ts'

/** Bits of a `logsBloom`. */
const bloomBits = 2048
/** Most entries repeat: popular tokens, signatures of events, accounts. */
const maxCachedEntries = 100_000
/** The three bits of an entry in one number, which takes less memory than a list. */
const cachedBits = new Map<unknown, number>()

/**
 * Whether logs omit an entry of a block's `logsBloom`: it has a bit that none of their addresses and topics sets.
 *
 * They may set further bits: some chains exclude system logs from the bloom filter.
 *
 * @param logs - all logs of the block.
 * @throws {NodeError} when an address or a topic is malformed.
 */
export function omitsEntries(logsBloom: string, logs: readonly RawLog[]): boolean {
  const unmatched = Buffer.from(logsBloom.slice(2), 'hex')
  const remove = (entry: unknown, bytes: number) => {
    let packed = getPackedBits(entry, bytes)
    for (let count = 0; count < 3; count++) {
      const bit = packed % bloomBits
      packed = (packed - bit) / bloomBits
      // Bit 0 is the last one.
      const index = (bloomBits - 1 - bit) >> 3
      unmatched[index] = (unmatched[index] ?? 0) & ~(1 << (bit & 7))
    }
  }
  for (const { address, topics } of logs) {
    remove(address, 20)
    for (const topic of topics) {
      remove(topic, 32)
    }
  }
  return unmatched.some((byte) => byte !== 0)
}

/** Whether a `logsBloom` has all bits of an entry. */
export function mayContain(logsBloom: string, bits: readonly number[]): boolean {
  // Bit 0 is the last one; a hex digit has four.
  return bits.every((bit) => {
    const digit = Number.parseInt(logsBloom.charAt(logsBloom.length - 1 - (bit >> 2)), 16)
    return ((digit >> (bit & 3)) & 1) === 1
  })
}

function getPackedBits(entry: unknown, bytes: number): number {
  const cached = cachedBits.get(entry)
  if (cached !== undefined) {
    return cached
  }
  if (cachedBits.size >= maxCachedEntries) {
    cachedBits.clear()
  }
  const bits = getBloomBits(parseBytes(entry, bytes))
  const packed = bits.reduceRight((sum, bit) => sum * bloomBits + bit, 0)
  cachedBits.set(entry, packed)
  return packed
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
