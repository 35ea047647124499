import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Log } from '../rpc/Log.ts'
import { NodeError } from '../rpc/NodeError.ts'
import { TopicFilter } from '../rpc/TopicFilter.ts'
import { fetchLogs } from './fetchLogs.ts'
import { topics } from './topics.ts'

const filter = new TopicFilter(Object.values(topics))
/** Headers that are asked at once; the logs of the first are fetched while the next are asked. */
const headersAtOnce = 100

/** Blocks to fetch: both ends included. */
interface BlockRange {
  readonly from: number
  readonly to: number
  /** Hash of the block before; undefined when none is known. */
  readonly parentHash: string | undefined
  /**
   * Whether none will replace these blocks. Then, where a node has no whole-block receipts, one query tells all their
   * logs; otherwise each block's logs are asked by its hash, because a node that lags behind answers a range with
   * silence.
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
  // When one part fails, the others are in vain.
  const ended = new AbortController()
  const ending = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal
  try {
    const parts: Promise<FetchedBlocks>[] = []
    const size = node.mayHaveReceipts ? headersAtOnce : to - from + 1
    for (let first = from; first <= to; first += size) {
      const last = Math.min(to, first + size - 1)
      parts.push(fetchPart(node, { from: first, to: last, isFinal }, ending))
    }
    const fetched = await Promise.all(parts)
    const blocks = fetched.flatMap((part) => part.blocks)
    const logs = fetched.flatMap((part) => part.logs)
    verifyContinuity(blocks, parentHash)
    return { blocks, logs }
  } finally {
    ended.abort()
  }
}

async function fetchPart(
  node: ChainNode,
  { from, to, isFinal }: Omit<BlockRange, 'parentHash'>,
  signal: AbortSignal,
): Promise<FetchedBlocks> {
  const blocks = await node.getHeaders(from, to, signal)
  return { blocks, logs: await fetchLogs(node, blocks, { filter, isFinal }, signal) }
}

function verifyContinuity(blocks: readonly BlockHeader[], parentHash: string | undefined): void {
  let parent = parentHash
  for (const block of blocks) {
    if (parent !== undefined && block.parentHash !== parent)
      throw new NodeError(
        `The node's answers do not fit together: block ${block.number} does not continue the one before`,
        { kind: 'mismatch' },
      )
    parent = block.hash
  }
}
