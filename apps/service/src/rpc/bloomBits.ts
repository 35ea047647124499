import { hexToBytes, keccak256 } from 'viem/utils'

/**
 * The bits that an address or a topic sets in a `logsBloom` of 2048: the low 11 of each of the first three pairs of
 * bytes of its hash.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf section 4.3.1
 */
export function bloomBits(entry: string): number[] {
  const hash = keccak256(hexToBytes(entry as `0x${string}`), 'bytes')
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047)
}
