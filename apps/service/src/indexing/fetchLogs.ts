import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Log, UnsentLog } from '../rpc/Log.ts'
import { NodeError } from '../rpc/NodeError.ts'
import type { TopicFilter } from '../rpc/TopicFilter.ts'
import { fetchReceiptLogs } from './fetchReceiptLogs.ts'

interface LogsOptions {
  readonly filter: TopicFilter
  readonly isFinal: boolean
}

/**
 * Fetches the wanted logs of successive blocks: by whole-block receipts, or by `eth_getLogs` and whole blocks where
 * the nodes have no receipts.
 *
 * @throws {NodeError} when the answers do not fit the blocks.
 */
export async function fetchLogs(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  { filter, isFinal }: LogsOptions,
  signal: AbortSignal,
): Promise<readonly Log[]> {
  for (const block of blocks)
    if (block.transactionCount === 0 && filter.mayBeIn(block.logsBloom) && block.logsBloom)
      throw mixed(`block ${block.number} has logs and no transactions`)
  const filled = blocks.filter(({ transactionCount }) => transactionCount > 0)
  if (filled.length === 0) return []
  const told = node.mayHaveReceipts
    ? await fetchReceiptLogs(node, filled, filter, signal)
    : undefined
  if (told) return told
  const logs = isFinal
    ? await logsOfRange(node, filled, filter, signal)
    : await node.getLogsOfBlocks(filled, filter, signal)
  verifyLogs(logs, filled)
  const senders = new Set(logs.map(({ blockHash }) => blockHash))
  return await node.withSenders(
    logs,
    filled.filter(({ hash }) => senders.has(hash)),
    signal,
  )
}

/** Asks by range, and again for the blocks that ought to have some: this time a node that has not the block says so. */
async function logsOfRange(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  signal: AbortSignal,
): Promise<readonly UnsentLog[]> {
  const [first, last] = [blocks[0]?.number ?? 0, blocks.at(-1)?.number ?? 0]
  const logs = await node.getLogs(first, last, filter, signal)
  const told = new Set(logs.map(({ blockNumber }) => blockNumber))
  // Some chains leave every bloom empty, which rules nothing out.
  const haveBlooms = blocks.some(({ logsBloom }) => logsBloom && /[^0x]/.test(logsBloom))
  const doubtful = blocks.filter(
    ({ number, logsBloom }) => !told.has(number) && (!haveBlooms || filter.mayBeIn(logsBloom)),
  )
  if (doubtful.length === 0) return logs
  const untold = await node.getLogsOfBlocks(doubtful, filter, signal)
  return [...logs, ...untold].sort(
    (a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
  )
}

function verifyLogs(logs: readonly UnsentLog[], blocks: readonly BlockHeader[]): void {
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
  let previous: UnsentLog | undefined
  for (const log of logs) {
    if (hashes.get(log.blockNumber) !== log.blockHash)
      throw mixed(`a log is of another block ${log.blockNumber}`)
    if (previous?.blockNumber === log.blockNumber && previous.logIndex === log.logIndex)
      throw mixed(`block ${log.blockNumber} has the log ${log.logIndex} twice`)
    previous = log
  }
}

function mixed(detail: string): NodeError {
  return new NodeError(`The node's answers do not fit together: ${detail}`, { kind: 'mismatch' })
}
