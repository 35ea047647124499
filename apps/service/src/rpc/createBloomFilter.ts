import { bloomBits } from './bloomBits.ts'

/**
 * Makes a function that tells whether a block may have a log with one of these topics, by its `logsBloom`. False is
 * certain, true nearly; a block that tells no bloom may have anything.
 */
export function createBloomFilter(
  topics: readonly string[],
): (logsBloom: string | undefined) => boolean {
  const bits = topics.map(bloomBits)
  return (logsBloom) =>
    logsBloom === undefined || bits.some((three) => three.every((bit) => isSet(logsBloom, bit)))
}

/** Bit 0 is the last one; a hex digit has four. */
function isSet(logsBloom: string, bit: number): boolean {
  const digit = Number.parseInt(logsBloom.charAt(logsBloom.length - 1 - (bit >> 2)), 16)
  return ((digit >> (bit & 3)) & 1) === 1
}
