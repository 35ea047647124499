import { hexToBytes, keccak256 } from 'viem/utils'

/** Matches logs of any contract by their first topic. */
export class TopicFilter {
  readonly topics: readonly string[]
  readonly #set: ReadonlySet<unknown>
  readonly #bits: readonly number[][]

  /** @param topics - lower case. */
  constructor(topics: readonly string[]) {
    this.topics = topics
    this.#set = new Set(topics)
    this.#bits = topics.map(getBloomBits)
  }

  /** Whether a first topic matches, in the case that a node returned it. */
  matches(topic: unknown): boolean {
    return this.#set.has(topic) || (typeof topic === 'string' && this.#set.has(topic.toLowerCase()))
  }

  /** Whether a block with this `logsBloom` may have a matching log. False is certain; a block without bloom always may. */
  mayMatch(logsBloom: string | undefined): boolean {
    return (
      logsBloom === undefined ||
      this.#bits.some((bits) => bits.every((bit) => isSet(logsBloom, bit)))
    )
  }
}

/**
 * Whether a block's `logsBloom` sets only bits of these entries. Otherwise logs are missing.
 *
 * Entries may set further bits: some chains exclude system logs from the bloom filter.
 *
 * @param entries - addresses and topics of all logs of the block.
 */
export function bloomMatchesLogs(logsBloom: string, entries: Iterable<string>): boolean {
  let unmatched = BigInt(logsBloom)
  for (const entry of new Set(entries)) {
    for (const bit of getBloomBits(entry)) {
      unmatched &= ~(1n << BigInt(bit))
    }
  }
  return unmatched === 0n
}

/**
 * The bits that an address or a topic sets in a `logsBloom` of 2048: the low 11 of each of the first three pairs of
 * bytes of its hash.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf section 4.3.1
 */
function getBloomBits(entry: string): number[] {
  const hash = keccak256(hexToBytes(entry as `0x${string}`), 'bytes')
  return [0, 2, 4].map((start) => (((hash[start] ?? 0) << 8) | (hash[start + 1] ?? 0)) & 2047)
}

/** Bit 0 is the last one; a hex digit has four. */
function isSet(logsBloom: string, bit: number): boolean {
  const digit = Number.parseInt(logsBloom.charAt(logsBloom.length - 1 - (bit >> 2)), 16)
  return ((digit >> (bit & 3)) & 1) === 1
}
