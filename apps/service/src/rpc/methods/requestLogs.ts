import type { Deadline } from '../transport/Deadline.ts'
import type { LogRange } from '../transport/LogRange.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import { mayRequireAddress } from '../transport/nodeMessages.ts'
import { getResult, type RpcRequest, type RpcResponse } from '../transport/parseResponses.ts'
import { type BlockRef, parseHeader } from './BlockHeader.ts'
import { isLog, type LogWithTransactionHash, parseLog, type RawLog } from './Log.ts'
import { formatQuantity, parseBytes, parseQuantity } from './parseHex.ts'

/** A list of values for each topic; null for any value. */
export type LogTopics = readonly (readonly string[] | null)[]

/** What logs are searched by. */
export interface LogFilter {
  /** The contracts; any where it is omitted. */
  readonly address?: string | readonly string[]
  readonly topics: LogTopics
}

/** A log that matches a filter. Nodes are trusted to return it: headers do not show which filters a block matches. */
export interface FoundLog extends LogWithTransactionHash {
  /** Unix seconds of its block; undefined where the node does not return it with logs. */
  readonly time: number | undefined
}

/** Blocks, both ends included. */
export interface LogBlocks {
  readonly from: number
  readonly to: number
  /** The hash of the last block; any is accepted where it is omitted. */
  readonly hash?: string | undefined
}

/** Nodes that truncate results without an error do so at a round number, those of a single block at a large one. */
const roundCounts = new Set([1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000])
const minTruncatedBlock = 10_000

/** Searches in flight, once the limit of the node is known, so that none exceeds it. */
const maxSearches = 4
/**
 * A node that had a block also has the blocks this far below it. Several nodes may respond at one URL, of which one may have been
 * away for days.
 */
const minDepth = 50_000

/**
 * Searches a part of the blocks that remain, as many at once as the node accepts, with fewer while they exceed a limit.
 *
 * @param maxBlocks - the blocks that remain to be searched.
 * @param search - returns the logs of each filter in the next `blocks` after the first `skipped` ones.
 * @returns the number of blocks that were searched, which are consecutive.
 * @throws {NodeError} when the search fails also for a single block.
 */
export async function searchBlocks(
  logRange: LogRange,
  maxBlocks: number,
  search: (blocks: number, skipped: number) => Promise<readonly (readonly FoundLog[])[]>,
): Promise<{ readonly logs: FoundLog[]; readonly blocks: number }> {
  for (;;) {
    const blocks = Math.min(maxBlocks, logRange.blocks)
    const count = logRange.limit === undefined ? 1 : maxSearches
    const parts = Array.from(
      { length: Math.min(count, Math.ceil(maxBlocks / blocks)) },
      (_, index) => ({
        skipped: index * blocks,
        blocks: Math.min(blocks, maxBlocks - index * blocks),
      }),
    )
    const startedAt = performance.now()
    const results = await Promise.allSettled(parts.map((part) => search(part.blocks, part.skipped)))
    const found: (readonly FoundLog[])[] = []
    let searched = 0
    for (const [index, part] of parts.entries()) {
      const result = results[index]
      if (result?.status !== 'fulfilled') {
        break
      }
      const longest = Math.max(...result.value.map(({ length }) => length))
      logRange.recordSuccess(part.blocks, longest, performance.now() - startedAt)
      found.push(...result.value)
      searched += part.blocks
    }
    if (searched > 0) {
      return { logs: found.flat(), blocks: searched }
    }
    const error: unknown = results[0]?.status === 'rejected' ? results[0].reason : undefined
    const isTooLarge =
      error instanceof NodeError && error.mayExceedLimit && error.kind !== 'rate-limit'
    if (!isTooLarge || !logRange.recordFailure(blocks, error.message)) {
      throw error
    }
  }
}

/**
 * Fetches the logs that match filters. The node must have the last block: one that lags returns an empty list for blocks
 * that it does not have.
 *
 * @returns the logs of each filter, in the order that the node returns.
 */
export async function requestLogs(
  node: NodeConnection,
  filters: readonly LogFilter[],
  range: LogBlocks,
  deadline?: Deadline,
): Promise<FoundLog[][]> {
  const { capabilities } = node
  if (
    capabilities.logLimits.requiresAddress &&
    filters.some(({ address }) => address === undefined)
  ) {
    throw createAddressError()
  }
  const { from, to, hash } = range
  if (from === to && hash !== undefined && capabilities.acceptsLogsByHash !== false) {
    const logs = await requestByHash(node, filters, { number: to, hash }, deadline)
    if (logs) {
      return logs
    }
  }
  const searches = filters.map((filter) => createSearchRequest(filter, range))
  const header = { method: 'eth_getBlockByNumber', params: [formatQuantity(to), false] }
  const isKnown = range.hash === undefined && range.to + minDepth <= capabilities.knownBlock
  // The header first, as nodes mostly execute a batch in its order.
  const responses = await node.requestMany([...(isKnown ? [] : [header]), ...searches], deadline)
  const mayBeAddress = responses.some(
    ({ error }) => error?.kind === 'rejected' && mayRequireAddress(error.message),
  )
  if (mayBeAddress && filters.some(({ address }) => address === undefined)) {
    if (from < to) {
      await requestLogs(node, filters, { from: to, to, hash }, deadline)
    } else {
      capabilities.logLimits.requiresAddress = true
      throw createAddressError()
    }
  }
  const found = isKnown ? range : requireBlock(getResult(responses.shift()), range)
  capabilities.knownBlock = Math.max(capabilities.knownBlock, range.to)
  return responses.map((response) => readLogs(response, found))
}

/** The request of a search, without one that shows that the node has the last block. */
export function createSearchRequest(filter: LogFilter, { from, to }: LogBlocks): RpcRequest {
  const blocks = { fromBlock: formatQuantity(from), toBlock: formatQuantity(to) }
  return { method: 'eth_getLogs', params: [{ ...filter, ...blocks }] }
}

/**
 * Fetches the logs of one block, which a node rejects if it lacks the block, so that no header is needed.
 *
 * @returns undefined if the node rejects a request, also because it does not accept hashes.
 */
async function requestByHash(
  node: NodeConnection,
  filters: readonly LogFilter[],
  { number, hash }: BlockRef,
  deadline: Deadline | undefined,
): Promise<FoundLog[][] | undefined> {
  const searches = filters.map((filter) => ({
    method: 'eth_getLogs',
    params: [{ ...filter, blockHash: hash }],
  }))
  const responses = await node.requestMany(searches, deadline)
  if (responses.some(({ error }) => error?.kind === 'rejected')) {
    return undefined
  }
  const { capabilities } = node
  capabilities.knownBlock = Math.max(capabilities.knownBlock, number)
  const block = { from: number, to: number, hash }
  return responses.map((response) => readLogs(response, block))
}

function createAddressError(): NodeError {
  return new NodeError('The node returns logs of given contracts only', {
    kind: 'rejected',
    retryable: false,
  })
}

/** @throws {NodeError} when the node lacks the last block of a range, or has another one. */
function requireBlock(result: unknown, range: LogBlocks): LogBlocks {
  const { to, hash } = range
  const header = parseHeader(result, to)
  if (!header || (hash !== undefined && header.hash !== hash)) {
    throw new NodeError(
      header ? `The node has another block ${to}` : `The node has no block ${to}`,
      { kind: 'mismatch' },
    )
  }
  return { ...range, hash: header.hash }
}

/**
 * The logs of a response, each once: sums of transfers must not count one twice that a node repeats.
 *
 * @throws {NodeError} when it is an error, or may lack logs, or has those of other blocks.
 */
export function readLogs(response: RpcResponse | undefined, range: LogBlocks): FoundLog[] {
  const { from, to } = range
  const result = getResult(response)
  if (!Array.isArray(result) || !result.every(isLog)) {
    throw new NodeError('The node returned an invalid list of logs', { kind: 'malformed' })
  }
  if (roundCounts.has(result.length) && (from < to || result.length >= minTruncatedBlock)) {
    throw new NodeError(`${result.length} results may be truncated`, {
      kind: 'rejected',
      mayExceedLimit: true,
    })
  }
  const blockHashes = new Map<number, string>()
  const logs = new Map<string, FoundLog>()
  for (const log of result.map((raw) => parseFoundLog(raw, range))) {
    const { blockNumber, blockHash, transactionHash, logIndex } = log
    const known = blockHashes.get(blockNumber)
    if (known !== undefined && known !== blockHash) {
      throw new NodeError(`The node returned logs of two blocks ${blockNumber}`, {
        kind: 'mismatch',
      })
    }
    blockHashes.set(blockNumber, blockHash)
    // Some chains number the logs of each transaction.
    logs.set(`${blockNumber}/${transactionHash}/${logIndex}`, log)
  }
  return [...logs.values()]
}

function parseFoundLog(log: RawLog, { from, to, hash }: LogBlocks): FoundLog {
  const blockNumber = parseQuantity(log['blockNumber'])
  if (blockNumber < from || blockNumber > to) {
    throw new NodeError(`The node returned a log of block ${blockNumber}, which is not in range`, {
      kind: 'mismatch',
    })
  }
  const block = { number: blockNumber, hash: parseBytes(log['blockHash'], 32) }
  if (blockNumber === to && hash !== undefined && block.hash !== hash) {
    throw new NodeError(`The node returned a log of another block ${to}`, { kind: 'mismatch' })
  }
  const transactionHash = parseBytes(log['transactionHash'], 32)
  return { ...parseLog(log, block), transactionHash, time: parseTime(log) }
}

/** Newer nodes return the time with each log, in seconds. */
function parseTime({ blockTimestamp }: RawLog): number | undefined {
  return typeof blockTimestamp === 'string' && /^0x[\da-f]{1,9}$/.test(blockTimestamp)
    ? Number(blockTimestamp)
    : undefined
}
