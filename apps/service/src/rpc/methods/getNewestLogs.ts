import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import { isLog } from './Log.ts'
import { formatQuantity, parseBytes } from './parseHex.ts'

/** A list of values for each topic; null for any value. */
export type LogTopics = readonly (readonly string[] | null)[]

/** A log that matches topics. Nodes are trusted to return it: headers do not show which wallets a block concerns. */
export interface TopicLog {
  /** The contract. */
  readonly address: string
  readonly topics: readonly string[]
}

export interface TopicLogs {
  readonly logs: readonly TopicLog[]
  /** The first block that was searched; the last one is that of the request. */
  readonly from: number
}

/** Nodes that truncate results without an error do so at a round number. */
const roundCounts = new Set([1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000])

/**
 * Fetches the newest logs with one of several lists of topics, in a range of blocks that the node accepts.
 *
 * @param range - both ends included; its last blocks are searched first.
 * @throws {NodeError} when a request fails also for a single block.
 */
export async function getNewestLogs(
  node: NodeConnection,
  filters: readonly LogTopics[],
  { from, to }: { readonly from: number; readonly to: number },
  deadline?: Deadline,
): Promise<TopicLogs> {
  const { logRange } = node
  for (;;) {
    const blocks = Math.min(to - from + 1, logRange.blocks)
    const first = to - blocks + 1
    const startedAt = performance.now()
    try {
      const results = await Promise.all(
        filters.map((topics) => request(node, topics, first, to, deadline)),
      )
      const longest = Math.max(...results.map(({ length }) => length))
      logRange.recordSuccess(blocks, longest, performance.now() - startedAt)
      return { logs: results.flat(), from: first }
    } catch (error) {
      const isTooLarge =
        error instanceof NodeError && error.mayExceedLimit && error.kind !== 'rate-limit'
      if (!isTooLarge || !logRange.recordFailure(blocks, error.message)) {
        throw error
      }
    }
  }
}

async function request(
  node: NodeConnection,
  topics: LogTopics,
  from: number,
  to: number,
  deadline?: Deadline,
): Promise<TopicLog[]> {
  const [fromBlock, toBlock] = [formatQuantity(from), formatQuantity(to)]
  const result = await node.request('eth_getLogs', [{ fromBlock, toBlock, topics }], deadline)
  if (!Array.isArray(result) || !result.every(isLog)) {
    throw new NodeError('The node returned an invalid list of logs', { kind: 'malformed' })
  }
  if (from < to && roundCounts.has(result.length)) {
    throw new NodeError(`${result.length} results may be truncated`, {
      kind: 'rejected',
      mayExceedLimit: true,
    })
  }
  return result.map((log) => ({
    address: parseBytes(log['address'], 20),
    topics: log.topics.map((topic) => parseBytes(topic, 32)),
  }))
}
