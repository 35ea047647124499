import { bloomBits } from './bloomBits.ts'

/**
 * Tells whether these addresses and topics set every bit of a block's `logsBloom`. When they do not, logs are missing.
 *
 * They may set more: some chains leave logs of the system out of the bloom.
 */
export function explainsBloom(logsBloom: string, entries: Iterable<string>): boolean {
  let unexplained = BigInt(logsBloom)
  for (const entry of new Set(entries))
    for (const bit of bloomBits(entry)) unexplained &= ~(1n << BigInt(bit))
  return unexplained === 0n
}
