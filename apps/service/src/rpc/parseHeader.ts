import type { BlockHeader } from './BlockHeader.ts'
import { parseBytes, parseQuantity } from './parseHex.ts'

/**
 * Reads a block of `eth_getBlockByNumber`.
 *
 * @throws {NodeError} retryable, when the answer is no block.
 */
export function parseHeader(value: object): BlockHeader {
  const block = value as Record<string, unknown>
  return {
    number: parseQuantity(block['number']),
    hash: parseBytes(block['hash'], 32),
    parentHash: parseBytes(block['parentHash'], 32),
    time: parseQuantity(block['timestamp']),
    logsBloom: block['logsBloom'] ? parseBytes(block['logsBloom'], 256) : undefined,
  }
}
