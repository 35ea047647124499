import type { CallOptions, Deadline } from '../transport/Deadline.ts'
import type { LogRanges } from '../transport/LogRange.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import {
  type FoundLog,
  type LogBlocks,
  type LogTopics,
  requestLogs,
  searchBlocks,
} from './requestLogs.ts'

export interface SearchOptions extends CallOptions {
  /** Of the search that a request is part of. */
  readonly ranges?: LogRanges | undefined
}

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
 * @param options.ranges - those of the search that it is part of; of the node where they are omitted.
 * @throws {NodeError} when a request fails also for a single block.
 */
export async function getNewestLogs(
  node: NodeConnection,
  filters: readonly LogTopics[],
  range: LogBlocks,
  { ranges, ...deadline }: Deadline & Pick<SearchOptions, 'ranges'>,
): Promise<TopicLogs> {
  const { from, to } = range
  const { logLimits, logRange: ofNode } = node.capabilities
  const logRange = ranges?.of(logLimits) ?? ofNode
  const found = await searchBlocks(logRange, to - from + 1, (blocks, skipped) => {
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
