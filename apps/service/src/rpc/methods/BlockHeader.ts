import { NodeError } from '../transport/NodeError.ts'
import { parseBytes, parseQuantity, parseSeconds } from './parseHex.ts'

/** A block by number and hash: after a reorg the number alone is ambiguous. */
export interface BlockRef {
  readonly number: number
  /** `0x` and 64 lower-case hex digits. */
  readonly hash: string
}

/** A block and when it was produced. */
export interface TimedBlock extends BlockRef {
  /** Unix seconds. */
  readonly time: number
}

/** The fields of a block that indexing needs. */
export interface BlockHeader extends TimedBlock {
  readonly parentHash: string
  /** Bloom filter of its logs, 256 bytes of hex; undefined where the chain does not maintain it. */
  readonly logsBloom: string | undefined
  /** Root of its receipts; undefined where the node returns none. */
  readonly receiptsRoot: string | undefined
  /** Of the transactions in their order, which is also that of the receipts. */
  readonly transactionHashes: readonly string[]
  /** 0 where the node returns none. */
  readonly gasUsed: number
}

/**
 * Parses a result of `eth_getBlockByNumber`.
 *
 * @param number - the requested block number; any is accepted where it is omitted.
 * @returns undefined where the node has no such block.
 * @throws {NodeError} retryable, when the result is not that block.
 */
export function parseHeader(result: unknown, number?: number): BlockHeader | undefined {
  if (typeof result !== 'object' || !result) {
    return undefined
  }
  const block = result as Record<string, unknown>
  const transactions = block['transactions']
  if (!Array.isArray(transactions)) {
    throw new NodeError('The node returned a block without transactions', { kind: 'malformed' })
  }
  const header = {
    number: parseQuantity(block['number']),
    hash: parseBytes(block['hash'], 32),
    parentHash: parseBytes(block['parentHash'], 32),
    time: parseSeconds(block['timestamp']),
    logsBloom: block['logsBloom'] ? parseBloom(block['logsBloom']) : undefined,
    receiptsRoot: block['receiptsRoot'] ? parseBytes(block['receiptsRoot'], 32) : undefined,
    transactionHashes: transactions.map((hash) => parseBytes(hash, 32)),
    gasUsed: block['gasUsed'] === undefined ? 0 : parseQuantity(block['gasUsed']),
  }
  if (number !== undefined && header.number !== number) {
    throw new NodeError(`The node returned block ${header.number} instead of ${number}`, {
      kind: 'mismatch',
    })
  }
  return header
}

/** Some chains do not maintain a bloom filter and set every bit, which excludes nothing. */
function parseBloom(value: unknown): string | undefined {
  const bloom = parseBytes(value, 256)
  return /[^f]/.test(bloom.slice(2)) ? bloom : undefined
}
