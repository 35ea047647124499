import type { BlockHeader } from './BlockHeader.ts'
import { NodeError } from './NodeError.ts'
import { parseBytes, parseQuantity } from './parseHex.ts'

/**
 * Reads a block of `eth_getBlockByNumber`.
 *
 * @throws {NodeError} retryable, when the answer is no block.
 */
export function parseHeader(value: object): BlockHeader {
  const block = value as Record<string, unknown>
  const transactions = block['transactions']
  if (!Array.isArray(transactions))
    throw new NodeError('The node answered a block without its transactions', { kind: 'malformed' })
  return {
    number: parseQuantity(block['number']),
    hash: parseBytes(block['hash'], 32),
    parentHash: parseBytes(block['parentHash'], 32),
    time: parseQuantity(block['timestamp']),
    logsBloom: block['logsBloom'] ? parseBloom(block['logsBloom']) : undefined,
    transactionCount: transactions.length,
  }
}

/** Some chains keep no bloom and set every bit, so that nothing is ruled out. */
function parseBloom(value: unknown): string | undefined {
  const bloom = parseBytes(value, 256)
  return /[^f]/.test(bloom.slice(2)) ? bloom : undefined
}
