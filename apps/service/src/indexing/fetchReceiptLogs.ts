import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Log } from '../rpc/Log.ts'
import { NodeError } from '../rpc/NodeError.ts'
import type { TopicFilter } from '../rpc/TopicFilter.ts'

/** Transactions whose receipts are asked in one request: some megabytes of JSON at most. */
const transactionsAtOnce = 500
const blocksAtOnce = 50

/**
 * Fetches the wanted logs of blocks by whole-block receipts, many blocks in one request and many requests at once.
 *
 * @param blocks in the chain's order, each with transactions.
 * @returns undefined when the node has no such method.
 */
export async function fetchReceiptLogs(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  signal: AbortSignal,
): Promise<Log[] | undefined> {
  const packs = await Promise.all(
    packed(blocks).map((pack) => fetchPack(node, pack, filter, signal)),
  )
  const logs: Log[] = []
  for (const pack of packs) {
    if (!pack) return undefined
    for (const log of pack) logs.push(log)
  }
  return logs
}

/** One request, or several smaller ones where that was too much. */
async function fetchPack(
  node: ChainNode,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  signal: AbortSignal,
): Promise<Log[] | undefined> {
  try {
    return await node.getReceiptLogs(blocks, filter, signal)
  } catch (error) {
    if (!(error instanceof NodeError) || !error.mayBeTooMuch || blocks.length === 1) throw error
  }
  const middle = blocks.length >> 1
  const first = await fetchPack(node, blocks.slice(0, middle), filter, signal)
  const second = first && (await fetchPack(node, blocks.slice(middle), filter, signal))
  return second && [...first, ...second]
}

function packed(blocks: readonly BlockHeader[]): BlockHeader[][] {
  const packs: BlockHeader[][] = []
  let pack: BlockHeader[] = []
  let transactions = 0
  for (const block of blocks) {
    const isFull = transactions + block.transactionCount > transactionsAtOnce
    if (pack.length > 0 && (isFull || pack.length === blocksAtOnce)) {
      packs.push(pack)
      ;[pack, transactions] = [[], 0]
    }
    pack.push(block)
    transactions += block.transactionCount
  }
  if (pack.length > 0) packs.push(pack)
  return packs
}
