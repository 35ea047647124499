import { hexToBytes, keccak256 } from 'viem'

/**
 * Makes a function that tells whether a block may have a log with one of these topics, by its `logsBloom`: 2048 bits of
 * which each topic sets three. False is certain, true nearly; a block that tells no bloom may have anything.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf section 4.3.1
 */
export function createBloomFilter(
  topics: readonly string[],
): (logsBloom: string | undefined) => boolean {
  const bits = topics.map(bitsOf)
  return (logsBloom) =>
    logsBloom === undefined || bits.some((three) => three.every((bit) => isSet(logsBloom, bit)))
}

/** The low 11 bits of each of the first three pairs of bytes of the topic's hash. */
function bitsOf(topic: string): number[] {
  const hash = keccak256(hexToBytes(topic as `0x${string}`), 'bytes')
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047)
}

/** Bit 0 is the last one; a hex digit has four. */
function isSet(logsBloom: string, bit: number): boolean {
  const digit = Number.parseInt(logsBloom.charAt(logsBloom.length - 1 - (bit >> 2)), 16)
  return ((digit >> (bit & 3)) & 1) === 1
}
