import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import {
  type FoundLog,
  type LogBlocks,
  type LogTopics,
  requestLogs,
  searchBlocks,
} from './requestLogs.ts'

export interface ContractLogs {
  /** In the chain's order. */
  readonly logs: readonly FoundLog[]
  /** The last block that was searched; the first one is that of the request. */
  readonly to: number
}

/** Events of contracts, by their first topics, or by several lists of topics, of which a log matches one. */
export type ContractEvents = { readonly address: string | readonly string[] } & (
  { readonly topics: readonly string[] } | { readonly filters: readonly LogTopics[] }
)

/**
 * Fetches the logs of contracts in the first blocks of a range, as many as the node accepts. The node must have the last
 * of these.
 *
 * @throws {NodeError} when a request fails also for a single block.
 */
export async function getContractLogs(
  node: NodeConnection,
  { address, ...events }: ContractEvents,
  { from, to, hash }: LogBlocks,
  deadline?: Deadline,
): Promise<ContractLogs> {
  const filters = 'filters' in events ? events.filters : [[events.topics]]
  const found = await searchBlocks(
    node.capabilities.contractLogRange,
    to - from + 1,
    async (blocks, skipped) => {
      const first = from + skipped
      const last = first + blocks - 1
      const range = { from: first, to: last, hash: last === to ? hash : undefined }
      const results = await requestLogs(
        node,
        filters.map((topics) => ({ address, topics })),
        range,
        deadline,
      )
      const addresses = new Set([address].flat())
      if (results.flat().some((log) => !addresses.has(log.address))) {
        throw new NodeError('The node returned logs of another contract', { kind: 'mismatch' })
      }
      return results
    },
  )
  const { logs, blocks } = found
  logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  return { logs, to: from + blocks - 1 }
}
