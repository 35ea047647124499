import type { BlockRef } from './BlockHeader.ts'
import { NodeError } from './NodeError.ts'
import { parseBytes } from './parseHex.ts'

/**
 * Reads who sent the transactions of a block, by their hashes, from `eth_getBlockByNumber` with whole transactions.
 *
 * @throws {NodeError} when the answer is another block or none.
 */
export function parseSenders(answer: unknown, block: BlockRef): Map<string, string> {
  const { hash, transactions } = (answer ?? {}) as Record<string, unknown>
  if (!Array.isArray(transactions) || parseBytes(hash, 32) !== block.hash)
    throw new NodeError(`The node has another block ${block.number}`, { kind: 'mismatch' })
  return new Map(
    (transactions as (Record<string, unknown> | null)[]).map((transaction) => [
      parseBytes(transaction?.['hash'], 32),
      parseBytes(transaction?.['from'], 20),
    ]),
  )
}
