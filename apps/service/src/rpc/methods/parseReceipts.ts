import { isObject } from '../../isObject.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { TopicFilter } from '../verify/TopicFilter.ts'
import { verifyBlock } from '../verify/verifyBlock.ts'
import type { Violation } from '../verify/Violation.ts'
import type { BlockHeader, BlockRef } from './BlockHeader.ts'
import { isLog, type LogWithSender, parseLog, type RawReceipt } from './Log.ts'
import { parseBytes } from './parseHex.ts'

/**
 * Parses a result of `eth_getBlockReceipts`.
 *
 * @returns undefined where the node has none for the block.
 * @throws {NodeError} when it is not a list of receipts.
 */
export function parseReceipts(result: unknown): RawReceipt[] | undefined {
  if (result === null) {
    return undefined
  }
  if (Array.isArray(result) && result.every(isReceipt)) {
    return result
  }
  throw new NodeError('The node returned an invalid receipt', { kind: 'malformed' })
}

/** Verifies that receipts are those of a block. */
export function verifyReceiptsOf(
  block: BlockHeader,
  receipts: readonly RawReceipt[],
  verifiesRoot: boolean,
): Violation | undefined {
  const logs = receipts.flatMap((receipt) => receipt.logs)
  return verifyBlock(block, { receipts, logs, verifiesRoot })
}

/**
 * Parses the logs that match a filter.
 *
 * @param receipts - those of the block.
 */
export function parseMatchingLogs(
  receipts: readonly RawReceipt[],
  block: BlockRef,
  filter: TopicFilter,
): LogWithSender[] {
  return receipts.flatMap(({ from, logs }) => {
    const matches = logs.filter(({ topics: [topic] }) => filter.matches(topic))
    const transactionFrom = matches.length > 0 ? parseBytes(from, 20) : ''
    return matches.map((log) => ({ ...parseLog(log, block), transactionFrom }))
  })
}

function isReceipt(value: unknown): value is RawReceipt {
  return isObject(value) && Array.isArray(value['logs']) && value['logs'].every(isLog)
}
