import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { RpcResponse } from '../transport/parseResponses.ts'
import { bloomMatchesLogs, type TopicFilter } from '../verify/TopicFilter.ts'
import type { BlockHeader } from './BlockHeader.ts'
import type { LogWithoutSender } from './Log.ts'
import { formatQuantity, parseBytes, parseQuantity } from './parseHex.ts'

const method = 'eth_getLogs'

/**
 * Fetches the matching logs of a range of blocks, both ends included, in the chain's order.
 *
 * @throws {NodeError} when the request fails. A node that lags may omit logs silently.
 */
export async function getLogs(
  node: NodeConnection,
  { from, to }: { readonly from: number; readonly to: number },
  { topics }: TopicFilter,
  deadline?: Deadline,
): Promise<LogWithoutSender[]> {
  const [fromBlock, toBlock] = [from, to].map(formatQuantity)
  return parseLogs(await node.request(method, [{ fromBlock, toBlock, topics: [topics] }], deadline))
}

/**
 * Fetches the matching logs of exactly these blocks: unlike by number, a node that lacks a block returns an error.
 *
 * @throws {NodeError} also when a node returns no log of a block with a bloom filter that requires one.
 */
export async function getLogsByBlock(
  node: NodeConnection,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  deadline?: Deadline,
): Promise<LogWithoutSender[]> {
  const request = async (of: readonly BlockHeader[], topics?: readonly unknown[]) => {
    const requests = of.map(({ hash }) => ({
      method: method,
      params: [{ blockHash: hash, ...(topics && { topics }) }],
    }))
    return (await node.requestMany(requests, deadline)).map(parseResponse)
  }
  const matches = await request(blocks, [filter.topics])
  const suspects = blocks.filter(
    ({ logsBloom }, index) =>
      matches[index]?.length === 0 && logsBloom !== undefined && filter.mayMatch(logsBloom),
  )
  // All logs of the block show whether the bloom filter refers to others.
  const unfiltered = await request(suspects)
  const logsByBlock = new Map(blocks.map((block, index) => [block, matches[index] ?? []]))
  for (const [index, block] of suspects.entries()) {
    const { number, logsBloom } = block
    const logs = unfiltered[index] ?? []
    const entries = logs.flatMap(({ address, topics }) => [address, ...topics])
    if (logsBloom !== undefined && !bloomMatchesLogs(logsBloom, entries)) {
      throw new NodeError(`The node omitted logs of block ${number}`, { kind: 'mismatch' })
    }
    // It may contain matching logs, which the first response omitted.
    logsByBlock.set(
      block,
      logs.filter(({ topics: [topic] }) => filter.matches(topic)),
    )
  }
  return [...logsByBlock.values()].flat()
}

function parseResponse(response: RpcResponse): LogWithoutSender[] {
  if (response.error) {
    throw response.error
  }
  return parseLogs(response.result)
}

function parseLogs(result: unknown): LogWithoutSender[] {
  if (!Array.isArray(result)) {
    throw new NodeError('The node returned an invalid list of logs', { kind: 'malformed' })
  }
  return result
    .map(parseLog)
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/** Rejects a log that a reorg removed, too. The contract's data may be anything. */
function parseLog(value: unknown): LogWithoutSender {
  const log = (typeof value === 'object' ? value : null) as Record<string, unknown> | null
  if (!log || !Array.isArray(log['topics']) || log['removed'] === true) {
    throw new NodeError('The node returned an invalid log', { kind: 'malformed' })
  }
  return {
    blockNumber: parseQuantity(log['blockNumber']),
    blockHash: parseBytes(log['blockHash'], 32),
    logIndex: parseQuantity(log['logIndex']),
    address: parseBytes(log['address'], 20),
    topics: log['topics'].map((topic) => parseBytes(topic, 32)),
    data: parseBytes(log['data']),
    transactionHash: parseBytes(log['transactionHash'], 32),
  }
}
