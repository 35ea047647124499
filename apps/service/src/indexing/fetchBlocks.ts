import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Log } from '../rpc/Log.ts'
import { NodeError } from '../rpc/NodeError.ts'
import { createBloomFilter } from './createBloomFilter.ts'
import { topics } from './topics.ts'

const firstTopics = Object.values(topics)
const mayHaveLogs = createBloomFilter(firstTopics)

/** Blocks to fetch: both ends included. */
interface BlockRange {
  readonly from: number
  readonly to: number
  /** Hash of the block before; undefined when none is known. */
  readonly parentHash: string | undefined
  /**
   * Whether none will replace these blocks. Then one query tells all their logs; otherwise each block's logs are asked
   * by its hash, because a node that lags behind answers a range with silence.
   */
  readonly isFinal: boolean
}

/** Blocks and their logs, all of one chain. */
export interface FetchedBlocks {
  readonly blocks: readonly BlockHeader[]
  readonly logs: readonly Log[]
}

/**
 * Fetches blocks and their logs, and makes sure that they are of one chain which continues from the parent: answers may
 * come from different nodes, or from before and after a reorg.
 *
 * @throws {NodeError} retryable, when they do not fit together.
 */
export async function fetchBlocks(
  node: ChainNode,
  { from, to, parentHash, isFinal }: BlockRange,
  signal?: AbortSignal,
): Promise<FetchedBlocks> {
  const logsOf = async (list: readonly BlockHeader[]) =>
    (
      await Promise.all(list.map(({ hash }) => node.getLogsOfBlock(hash, firstTopics, signal)))
    ).flat()
  const headers = node.getHeaders(from, to, signal)
  const [blocks, answered] = await Promise.all([
    headers,
    isFinal ? node.getLogs(from, to, firstTopics, signal) : headers.then(logsOf),
  ])
  const logs = isFinal ? await withUntold(answered, blocks, logsOf) : answered
  let parent = parentHash
  for (const block of blocks) {
    if (parent !== undefined && block.parentHash !== parent)
      throw mixed(`block ${block.number} does not continue the one before`)
    parent = block.hash
  }
  let previous: Log | undefined
  for (const log of logs) {
    if (blocks[log.blockNumber - from]?.hash !== log.blockHash)
      throw mixed(`a log is of another block ${log.blockNumber}`)
    if (previous?.blockNumber === log.blockNumber && previous.logIndex === log.logIndex)
      throw mixed(`block ${log.blockNumber} has the log ${log.logIndex} twice`)
    previous = log
  }
  return { blocks, logs }
}

/** Asks again for the logs of blocks that ought to have some: this time a node that has not the block says so. */
async function withUntold(
  logs: Log[],
  blocks: readonly BlockHeader[],
  logsOf: (blocks: readonly BlockHeader[]) => Promise<Log[]>,
): Promise<Log[]> {
  const told = new Set(logs.map(({ blockNumber }) => blockNumber))
  const doubtful = blocks.filter(
    ({ number, logsBloom }) => !told.has(number) && mayHaveLogs(logsBloom),
  )
  const untold = await logsOf(doubtful)
  return untold.length === 0
    ? logs
    : [...logs, ...untold].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

function mixed(detail: string): NodeError {
  return new NodeError(`The node's answers do not fit together: ${detail}`, { retryable: true })
}
