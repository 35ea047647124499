import type { ChainConfig } from '../../config/Config.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockHeader } from '../../rpc/methods/BlockHeader.ts'
import type { LogWithSender } from '../../rpc/methods/Log.ts'
import { LogList } from '../../rpc/receipts/LogList.ts'
import { createMismatch } from '../../rpc/transport/NodeError.ts'
import { TopicFilter } from '../../rpc/verify/TopicFilter.ts'
import { verifyParents } from '../../rpc/verify/verifyBlock.ts'
import { createLegacyDecoders, getLegacyTopics } from '../decode/legacyCollections.ts'
import { allTopics } from '../decode/topics.ts'
import { fetchLogs } from './fetchLogs.ts'

/** Matches the events that every chain has. */
export const commonFilter = new TopicFilter(allTopics)

/** Matches the events of a chain, with those of its collections that precede ERC721. */
export function createFilter({ legacyCollections }: Pick<ChainConfig, 'legacyCollections'>) {
  const legacyTopics = getLegacyTopics(createLegacyDecoders(legacyCollections))
  return new TopicFilter([...new Set([...allTopics, ...legacyTopics])])
}

/** Headers per request; the logs of the first are fetched concurrently with the next headers. */
const headersPerRequest = 100

/** The block that the next ones extend; its hash is unknown before the first indexed block. */
export interface ParentBlock {
  readonly number: number
  readonly hash: string | undefined
}

/** Blocks to fetch, both ends included. */
interface BlockRange {
  readonly from: number
  readonly to: number
  /** Hash of the block before the range; undefined when it is unknown. */
  readonly parentHash: string | undefined
  /**
   * Whether the blocks are final. Then, where a node does not support block receipts, one query fetches the logs of all;
   * otherwise each block's logs are queried by its hash, because a node that lags returns no logs for a range rather than
   * an error.
   */
  readonly isFinalized: boolean
}

/** What is needed of a block once its logs are verified: many blocks are fetched ahead. */
type FetchedBlock = Pick<BlockHeader, 'number' | 'hash' | 'parentHash' | 'time'>

/** Consecutive blocks and their logs. */
export interface FetchedBlocks {
  readonly blocks: readonly FetchedBlock[]
  readonly logs: readonly LogWithSender[]
}

/** Fetched blocks whose logs are still packed. */
export interface PackedBlocks {
  readonly blocks: readonly FetchedBlock[]
  readonly logs: LogList
}

/**
 * Fetches blocks and their logs, and verifies that they form one chain that extends the parent: responses may come from
 * different nodes, or from before and after a reorg.
 *
 * @throws {NodeError} retryable, when the responses are inconsistent.
 */
export async function fetchPackedBlocks(
  node: ChainNode,
  { from, to, parentHash, isFinalized }: BlockRange,
  signal?: AbortSignal,
  filter = commonFilter,
): Promise<PackedBlocks> {
  // Aborts the other requests when one fails.
  const controller = new AbortController()
  const anySignal = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  const fetchPart = async (first: number, last: number): Promise<PackedBlocks> => {
    const headers = await node.getHeaders(first, last, anySignal, filter)
    const logs = await fetchLogs(node, headers, { filter, isFinalized }, anySignal)
    const blocks = headers.map(({ number, hash, parentHash, time }) => ({
      number,
      hash,
      parentHash,
      time,
    }))
    return { blocks, logs }
  }
  try {
    const parts: Promise<PackedBlocks>[] = []
    const size = node.maySupportReceipts ? headersPerRequest : to - from + 1
    for (let first = from; first <= to; first += size) {
      parts.push(fetchPart(first, Math.min(to, first + size - 1)))
    }
    const fetched = await Promise.all(parts)
    const blocks = fetched.flatMap((part) => part.blocks)
    const logs = LogList.concat(fetched.map((part) => part.logs))
    await verifyContinuity(node, blocks, { number: from - 1, hash: parentHash }, signal)
    return { blocks, logs }
  } finally {
    controller.abort()
  }
}

/** Does what {@link fetchPackedBlocks} does, for callers that read the logs at once. */
export async function fetchBlocks(
  ...parameters: Parameters<typeof fetchPackedBlocks>
): Promise<FetchedBlocks> {
  return unpackLogs(await fetchPackedBlocks(...parameters))
}

export function unpackLogs({ blocks, logs }: PackedBlocks): FetchedBlocks {
  return { blocks, logs: logs.toArray() }
}

/**
 * Verifies that each block extends the one before. The blocks may be of different nodes: those which contradict themselves
 * cool down otherwise, so that the next attempt prefers others.
 *
 * @param parent - the block before the first.
 * @throws {NodeError} retryable, when one does not.
 */
export async function verifyContinuity(
  node: ChainNode,
  blocks: readonly Pick<FetchedBlock, 'number' | 'hash' | 'parentHash'>[],
  parent: ParentBlock,
  signal?: AbortSignal,
): Promise<void> {
  const { number, hash } = parent
  const violation = verifyParents(
    hash === undefined ? blocks : [{ number, hash, parentHash: '' }, ...blocks],
  )
  if (violation) {
    await node.findFaultyNodes(violation.block, signal)
    throw createMismatch(violation)
  }
}
