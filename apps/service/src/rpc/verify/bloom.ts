import { hexToBytes, keccak256 } from 'viem/utils'
import type { RawLog } from '../methods/Log.ts'
import { parseBytes } from '../methods/parseHex.ts'

/** Bits of a `logsBloom`. */
const bloomBits = 2048
/** Most entries repeat: popular tokens, signatures of events, accounts. */
const maxCachedEntries = 50_000
const cachedBits = new Map<unknown, readonly number[]>()

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
    for (const bit of getCachedBits(entry, bytes)) {
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

function getCachedBits(entry: unknown, bytes: number): readonly number[] {
  const cached = cachedBits.get(entry)
  if (cached) {
    return cached
  }
  if (cachedBits.size >= maxCachedEntries) {
    cachedBits.clear()
  }
  const bits = getBloomBits(parseBytes(entry, bytes))
  cachedBits.set(entry, bits)
  return bits
}

/**
 * The bits that an address or a topic sets in a `logsBloom` of 2048: the low 11 of each of the first three pairs of
 * bytes of its hash.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf section 4.3.1
 */
export function getBloomBits(entry: string): number[] {
  const hash = keccak256(hexToBytes(entry as `0x${string}`), 'bytes')
  return [0, 2, 4].map(
    (start) => (((hash[start] ?? 0) << 8) | (hash[start + 1] ?? 0)) & (bloomBits - 1),
  )
}
