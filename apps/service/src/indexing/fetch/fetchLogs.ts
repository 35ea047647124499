import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockHeader } from '../../rpc/methods/BlockHeader.ts'
import type { Log, LogWithoutSender } from '../../rpc/methods/Log.ts'
import { inconsistentResponses, NodeError } from '../../rpc/transport/NodeError.ts'
import type { TopicFilter } from '../../rpc/verify/TopicFilter.ts'

/** Limits of one request for receipts, so that the response has a few megabytes of JSON at most. */
const maxTransactionsPerRequest = 500
const maxBlocksPerRequest = 50

interface LogsOptions {
  readonly filter: TopicFilter
  readonly isFinalized: boolean
}

/**
 * Fetches the matching logs of consecutive blocks: by block receipts, or by `eth_getLogs` and whole blocks where the nodes
 * do not support receipts.
 *
 * @throws {NodeError} when the responses do not match the blocks.
 */
export async function fetchLogs(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  { filter, isFinalized }: LogsOptions,
  signal: AbortSignal,
): Promise<readonly Log[]> {
  for (const { number, transactionCount, logsBloom } of blocks) {
    if (transactionCount === 0 && logsBloom && filter.mayMatch(logsBloom)) {
      throw inconsistentResponses(`block ${number} has logs and no transactions`)
    }
  }
  const nonEmpty = blocks.filter(({ transactionCount }) => transactionCount > 0)
  if (nonEmpty.length === 0) {
    return []
  }
  const receiptLogs = node.maySupportReceipts
    ? await fetchReceiptLogs(node, nonEmpty, filter, signal)
    : undefined
  if (receiptLogs) {
    return receiptLogs
  }
  const logs = isFinalized
    ? await fetchRangeLogs(node, nonEmpty, filter, signal)
    : await node.getLogsByBlock(nonEmpty, filter, signal)
  verifyLogs(logs, nonEmpty)
  const hashes = new Set(logs.map(({ blockHash }) => blockHash))
  return await node.withSenders(
    logs,
    nonEmpty.filter(({ hash }) => hashes.has(hash)),
    signal,
  )
}

/**
 * Fetches by block receipts, many blocks per request and many requests at once.
 *
 * @param blocks - in the chain's order, each with transactions.
 * @returns undefined when the node does not support block receipts.
 */
async function fetchReceiptLogs(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  signal: AbortSignal,
): Promise<Log[] | undefined> {
  const chunks = await Promise.all(
    splitByTransactions(blocks).map((chunk) => fetchReceiptChunk(node, chunk, filter, signal)),
  )
  const logs: Log[] = []
  for (const chunk of chunks) {
    if (!chunk) {
      return undefined
    }
    for (const log of chunk) {
      logs.push(log)
    }
  }
  return logs
}

/** Sends one request, or several smaller ones when that exceeds a limit of the node. */
async function fetchReceiptChunk(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  signal: AbortSignal,
): Promise<Log[] | undefined> {
  try {
    return await node.getReceiptLogs(blocks, filter, signal)
  } catch (error) {
    if (!(error instanceof NodeError) || !error.mayExceedLimit || blocks.length === 1) {
      throw error
    }
  }
  const middle = blocks.length >> 1
  const first = await fetchReceiptChunk(node, blocks.slice(0, middle), filter, signal)
  const second = first && (await fetchReceiptChunk(node, blocks.slice(middle), filter, signal))
  return second && [...first, ...second]
}

function splitByTransactions(blocks: readonly BlockHeader[]): BlockHeader[][] {
  const chunks: BlockHeader[][] = []
  let chunk: BlockHeader[] = []
  let transactions = 0
  for (const block of blocks) {
    const isFull = transactions + block.transactionCount > maxTransactionsPerRequest
    if (chunk.length > 0 && (isFull || chunk.length === maxBlocksPerRequest)) {
      chunks.push(chunk)
      chunk = []
      transactions = 0
    }
    chunk.push(block)
    transactions += block.transactionCount
  }
  if (chunk.length > 0) {
    chunks.push(chunk)
  }
  return chunks
}

/**
 * Queries by range, and by hash the blocks with a bloom filter that suggests missing logs: a node that lacks one then
 * fails.
 */
async function fetchRangeLogs(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  signal: AbortSignal,
): Promise<readonly LogWithoutSender[]> {
  const [first, last] = [blocks[0]?.number ?? 0, blocks.at(-1)?.number ?? 0]
  const logs = await node.getLogs(first, last, filter, signal)
  const loggedBlocks = new Set(logs.map(({ blockNumber }) => blockNumber))
  // Some chains leave every bloom filter empty, which excludes nothing.
  const haveBlooms = blocks.some(({ logsBloom }) => logsBloom && /[^0x]/.test(logsBloom))
  const suspects = blocks.filter(
    ({ number, logsBloom }) =>
      !loggedBlocks.has(number) && (!haveBlooms || filter.mayMatch(logsBloom)),
  )
  if (suspects.length === 0) {
    return logs
  }
  const missingLogs = await node.getLogsByBlock(suspects, filter, signal)
  return [...logs, ...missingLogs].sort(
    (a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
  )
}

function verifyLogs(logs: readonly LogWithoutSender[], blocks: readonly BlockHeader[]): void {
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
  let previous: LogWithoutSender | undefined
  for (const log of logs) {
    if (hashes.get(log.blockNumber) !== log.blockHash) {
      throw inconsistentResponses(`a log of a different block ${log.blockNumber}`)
    }
    if (previous?.blockNumber === log.blockNumber && previous.logIndex === log.logIndex) {
      throw inconsistentResponses(`block ${log.blockNumber} has log ${log.logIndex} twice`)
    }
    previous = log
  }
}
