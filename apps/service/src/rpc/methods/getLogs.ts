import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { createMismatch, NodeError } from '../transport/NodeError.ts'
import type { TopicFilter } from '../verify/TopicFilter.ts'
import { verifyBlock } from '../verify/verifyBlock.ts'
import type { BlockHeader } from './BlockHeader.ts'
import { isLog, type LogWithTransactionHash, parseLog, type RawLog } from './Log.ts'
import { formatQuantity, parseBytes, parseQuantity } from './parseHex.ts'

const method = 'eth_getLogs'

export interface LogsOptions {
  readonly filter: TopicFilter
  /** Whether the blocks are final. A node that lags omits the logs of other blocks from a range, without an error. */
  readonly isFinalized: boolean
}

/**
 * Fetches the matching logs of blocks, in the chain's order. All logs are requested, so that gaps are visible: final ones
 * as one range, others by the hash of their block.
 *
 * @param blocks - with transactions, in the chain's order.
 * @throws {NodeError} when a request fails, or the logs are not those of the blocks as far as can be verified.
 */
export async function getLogs(
  node: NodeConnection,
  blocks: readonly BlockHeader[],
  { filter, isFinalized }: LogsOptions,
  deadline?: Deadline,
): Promise<LogWithTransactionHash[]> {
  const logs =
    isFinalized && blocks.length > 1
      ? await getRange(node, blocks, filter, deadline)
      : await getByHash(node, blocks, isFinalized, deadline)
  return blocks.flatMap((block) =>
    (logs.get(block.number) ?? [])
      .filter(({ topics: [topic] }) => filter.matches(topic))
      .map((log) => ({
        ...parseLog(log, block),
        transactionHash: parseBytes(log['transactionHash'], 32),
      })),
  )
}

type LogsByBlock = Map<number, readonly RawLog[]>

/**
 * Requests a range, and then those of its blocks again, by their hash, that may have more logs: blocks whose logs have gaps
 * or do not match the bloom filter, and the last one with logs, where a limit of the node may have truncated the range.
 */
async function getRange(
  node: NodeConnection,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  deadline?: Deadline,
): Promise<LogsByBlock> {
  const [fromBlock, toBlock] = [blocks[0], blocks.at(-1)].map((block) =>
    formatQuantity(block?.number ?? 0),
  )
  const logs = groupByBlock(
    parseLogs(await node.request(method, [{ fromBlock, toBlock }], deadline)),
    blocks,
    filter,
  )
  const last = blocks.findLast(({ number }) => logs.get(number)?.length)
  // Some chains leave every bloom filter empty, which excludes nothing.
  const haveBlooms = blocks.some(({ logsBloom }) => logsBloom && /[^0x]/.test(logsBloom))
  const suspects = blocks.filter((block) => {
    const found = logs.get(block.number) ?? []
    const mayBeMissing = found.length === 0 && !(haveBlooms && block.logsBloom)
    return block === last || mayBeMissing || verifyBlock(block, { logs: found })
  })
  for (const [number, complete] of await getByHash(node, suspects, true, deadline)) {
    if (complete.length > (logs.get(number) ?? []).length) {
      node.statistics.recordViolation('log_range')
    }
    logs.set(number, complete)
  }
  return logs
}

/** Requests each block by its hash: unlike by number, a node that lacks a block returns an error. */
async function getByHash(
  node: NodeConnection,
  blocks: readonly BlockHeader[],
  isFinalized: boolean,
  deadline?: Deadline,
): Promise<LogsByBlock> {
  const request = async (byHash: boolean) =>
    await node.requestMany(
      blocks.map(({ hash, number }) => {
        const quantity = formatQuantity(number)
        const params = byHash ? { blockHash: hash } : { fromBlock: quantity, toBlock: quantity }
        return { method, params: [params] }
      }),
      deadline,
    )
  let byHash = !isFinalized || (node.capabilities.acceptsLogsByHash ?? true)
  let responses = await request(byHash)
  if (isFinalized && byHash && responses.some(({ error }) => error?.kind === 'rejected')) {
    byHash = false
    responses = await request(byHash)
  }
  const logs: LogsByBlock = new Map()
  for (const [index, block] of blocks.entries()) {
    const response = responses[index]
    if (response?.error) {
      throw isFinalized || response.error.kind !== 'rejected'
        ? response.error
        : response.error.withPrefix(
            'The node supports neither eth_getBlockReceipts nor eth_getLogs by blockHash, which blocks that are not final need',
          )
    }
    const found = parseLogs(response?.result)
    const violation = verifyBlock(block, { logs: found })
    if (violation) {
      throw createMismatch(violation)
    }
    logs.set(block.number, found)
  }
  if (blocks.length > 0 && isFinalized) {
    node.capabilities.acceptsLogsByHash ??= byHash
  }
  return logs
}

/** @throws {NodeError} when a log that matches is of none of the blocks. */
function groupByBlock(
  logs: readonly RawLog[],
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
): LogsByBlock {
  const grouped = new Map<number, RawLog[]>(blocks.map(({ number }) => [number, []]))
  for (const log of logs) {
    const block = parseQuantity(log['blockNumber'])
    const group = grouped.get(block)
    if (!group && filter.matches(log.topics[0])) {
      throw createMismatch({ kind: 'block_hash', block, detail: 'a log of another block' })
    }
    group?.push(log)
  }
  return grouped
}

/** @returns the logs by their index in the block. */
function parseLogs(result: unknown): RawLog[] {
  if (!Array.isArray(result) || !result.every(isLog)) {
    throw new NodeError('The node returned an invalid list of logs', { kind: 'malformed' })
  }
  return result
    .map((log) => [parseQuantity(log['logIndex']), log] as const)
    .sort(([a], [b]) => a - b)
    .map(([, log]) => log)
}
