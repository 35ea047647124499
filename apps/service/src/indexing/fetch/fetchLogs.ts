import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockHeader } from '../../rpc/methods/BlockHeader.ts'
import type { LogsOptions } from '../../rpc/methods/getLogs.ts'
import { LogList } from '../../rpc/receipts/LogList.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'

/**
 * Limits of one request for receipts, so that the response has one or two megabytes of JSON: a receipt has a kilobyte, and logs
 * cost 25 to 50 gas per byte of it. Nodes serve ten such responses in less CPU time than one with the same receipts.
 */
const maxPerRequest = { blocks: 50, transactions: 500, gas: 60_000_000 }

/**
 * Fetches the matching logs of consecutive blocks: by block receipts, or by `eth_getLogs` and whole blocks where the nodes
 * do not support receipts.
 *
 * @throws {NodeError} when the responses do not match the blocks.
 */
export async function fetchLogs(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  options: LogsOptions,
  signal: AbortSignal,
): Promise<LogList> {
  const { filter } = options
  const nonEmpty = blocks.filter(
    ({ transactionHashes, logsBloom }) => transactionHashes.length > 0 && !filter.skips(logsBloom),
  )
  if (nonEmpty.length === 0) {
    return new LogList([])
  }
  const receiptLogs = node.maySupportReceipts
    ? await fetchReceiptLogs(node, nonEmpty, options, signal)
    : undefined
  if (receiptLogs) {
    return receiptLogs
  }
  const logs = await node.getLogs(nonEmpty, options, signal)
  const hashes = new Set(logs.map(({ blockHash }) => blockHash))
  const withLogs = nonEmpty.filter(({ hash }) => hashes.has(hash))
  return new LogList([await node.withSenders(logs, withLogs, signal)])
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
  options: LogsOptions,
  signal: AbortSignal,
): Promise<LogList | undefined> {
  const chunks = await Promise.all(
    splitBlocks(blocks).map((chunk) => fetchReceiptChunk(node, chunk, options, signal)),
  )
  const found = chunks.filter((chunk) => chunk !== undefined)
  return found.length < chunks.length ? undefined : LogList.concat(found)
}

/** Sends one request, or several smaller ones when that exceeds a limit of the node. */
async function fetchReceiptChunk(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  options: LogsOptions,
  signal: AbortSignal,
): Promise<LogList | undefined> {
  try {
    return await node.getReceiptLogs(blocks, options, signal)
  } catch (error) {
    if (!(error instanceof NodeError) || !error.mayExceedLimit || blocks.length === 1) {
      throw error
    }
  }
  const middle = blocks.length >> 1
  const first = await fetchReceiptChunk(node, blocks.slice(0, middle), options, signal)
  const second = first && (await fetchReceiptChunk(node, blocks.slice(middle), options, signal))
  return second && LogList.concat([first, second])
}

function splitBlocks(blocks: readonly BlockHeader[]): BlockHeader[][] {
  const chunks: BlockHeader[][] = []
  let transactions = 0
  let gas = 0
  for (const block of blocks) {
    transactions += block.transactionHashes.length
    gas += block.gasUsed
    const chunk = chunks.at(-1)
    const isFull =
      transactions > maxPerRequest.transactions ||
      gas > maxPerRequest.gas ||
      chunk?.length === maxPerRequest.blocks
    if (chunk && !isFull) {
      chunk.push(block)
    } else {
      chunks.push([block])
      transactions = block.transactionHashes.length
      gas = block.gasUsed
    }
  }
  return chunks
}
