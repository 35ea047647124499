import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import {
  type FoundLog,
  type LogBlocks,
  type LogTopics,
  requestLogs,
  searchBlocks,
} from './requestLogs.ts'

export interface TopicLogs {
  readonly logs: readonly FoundLog[]
  /** The first block that was searched; the last one is that of the request. */
  readonly from: number
}

/**
 * Fetches the newest logs with one of several lists of topics, in a range of blocks that the node accepts. The node must
 * have the last block.
 *
 * @param range - its last blocks are searched first.
 * @throws {NodeError} when a request fails also for a single block.
 */
export async function getNewestLogs(
  node: NodeConnection,
  filters: readonly LogTopics[],
  range: LogBlocks,
  deadline?: Deadline,
): Promise<TopicLogs> {
  const { from, to } = range
  const found = await searchBlocks(node.logRange, to - from + 1, (blocks, skipped) => {
    const last = to - skipped
    return requestLogs(
      node,
      filters.map((topics) => ({ topics })),
      { from: last - blocks + 1, to: last, hash: last === to ? range.hash : undefined },
      deadline,
    )
  })
  return { logs: found.logs, from: to - found.blocks + 1 }
}
