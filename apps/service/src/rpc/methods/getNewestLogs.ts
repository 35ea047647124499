import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { RpcResponse } from '../transport/parseResponses.ts'
import { parseHeader } from './BlockHeader.ts'
import { isLog, type Log, parseLog, type RawLog } from './Log.ts'
import { formatQuantity, parseBytes, parseQuantity } from './parseHex.ts'

/** A list of values for each topic; null for any value. */
export type LogTopics = readonly (readonly string[] | null)[]

/** A log that matches topics. Nodes are trusted to return it: headers do not show which wallets a block concerns. */
export interface TopicLog extends Omit<Log, 'transactionFrom'> {
  /** Unix seconds of its block; undefined where the node does not return it with logs. */
  readonly time: number | undefined
}

export interface TopicLogs {
  readonly logs: readonly TopicLog[]
  /** The first block that was searched; the last one is that of the request. */
  readonly from: number
}

/** Blocks, both ends included. */
export interface LogBlocks {
  readonly from: number
  readonly to: number
  /** The hash of the last block; any is accepted where it is omitted. */
  readonly hash?: string | undefined
}

/** Nodes that truncate results without an error do so at a round number. */
const roundCounts = new Set([1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000])

/**
 * Fetches the newest logs with one of several lists of topics, in a range of blocks that the node accepts. The node must
 * have the last block: one that lags returns an empty list for blocks that it does not have.
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
  const { logRange } = node
  for (;;) {
    const blocks = Math.min(range.to - range.from + 1, logRange.blocks)
    const first = range.to - blocks + 1
    const startedAt = performance.now()
    try {
      const results = await request(node, filters, { ...range, from: first }, deadline)
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
  filters: readonly LogTopics[],
  range: LogBlocks,
  deadline?: Deadline,
): Promise<TopicLog[][]> {
  const [fromBlock, toBlock] = [formatQuantity(range.from), formatQuantity(range.to)]
  const searches = filters.map((topics) => ({
    method: 'eth_getLogs',
    params: [{ fromBlock, toBlock, topics }],
  }))
  const header = { method: 'eth_getBlockByNumber', params: [toBlock, false] }
  const responses = await node.requestMany([...searches, header], deadline)
  requireBlock(getResult(responses.at(-1)), range)
  return responses.slice(0, -1).map((response) => parseLogs(getResult(response), range))
}

function getResult(response: RpcResponse | undefined): unknown {
  if (!response || response.error) {
    throw response?.error ?? new NodeError('no response', { kind: 'malformed' })
  }
  return response.result
}

/** @throws {NodeError} when the node lacks the last block of a range, or has another one. */
function requireBlock(result: unknown, { to, hash }: LogBlocks): void {
  const header = parseHeader(result, to)
  if (!header || (hash !== undefined && header.hash !== hash)) {
    throw new NodeError(
      header ? `The node has another block ${to}` : `The node has no block ${to}`,
      { kind: 'mismatch' },
    )
  }
}

function parseLogs(result: unknown, { from, to }: LogBlocks): TopicLog[] {
  if (!Array.isArray(result) || !result.every(isLog)) {
    throw new NodeError('The node returned an invalid list of logs', { kind: 'malformed' })
  }
  if (from < to && roundCounts.has(result.length)) {
    throw new NodeError(`${result.length} results may be truncated`, {
      kind: 'rejected',
      mayExceedLimit: true,
    })
  }
  return result.map((log) => {
    const blockNumber = parseQuantity(log['blockNumber'])
    if (blockNumber < from || blockNumber > to) {
      throw new NodeError(
        `The node returned a log of block ${blockNumber}, which is not in range`,
        {
          kind: 'mismatch',
        },
      )
    }
    const block = { number: blockNumber, hash: parseBytes(log['blockHash'], 32) }
    return { ...parseLog(log, block), time: parseTime(log) }
  })
}

/** Newer nodes return the time with each log. */
function parseTime({ blockTimestamp }: RawLog): number | undefined {
  return typeof blockTimestamp === 'string' && /^0x[\da-f]{1,12}$/.test(blockTimestamp)
    ? Number(blockTimestamp)
    : undefined
}
