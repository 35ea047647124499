import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import { bloomMatchesLogs, type TopicFilter } from '../verify/TopicFilter.ts'
import type { BlockHeader } from './BlockHeader.ts'
import type { Log } from './Log.ts'
import { formatQuantity, parseBytes, parseQuantity } from './parseHex.ts'

const method = 'eth_getBlockReceipts'
/** JSON-RPC error codes for a method that does not exist or is disabled. */
const unsupportedCodes = [-32601, -32004]
const unsupportedMessage =
  /method.*(?:not (?:found|supported|available|allowed|enabled)|does not exist|unsupported)|(?:unsupported|unknown) method/i

/**
 * Fetches the receipts of whole blocks and parses the logs that match the filter, in the chain's order.
 *
 * @returns undefined when the node does not support the method, which is remembered.
 * @throws {NodeError} when the request fails, or the receipts are not those of exactly these blocks.
 */
export async function getBlockReceipts(
  node: NodeConnection,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  deadline?: Deadline,
): Promise<Log[] | undefined> {
  if (node.unsupportedMethods.has(method)) {
    return undefined
  }
  const request = async (byHash: boolean) =>
    await node.requestMany(
      blocks.map(({ hash, number }) => ({
        method: method,
        params: [byHash ? hash : formatQuantity(number)],
      })),
      deadline,
    )
  let byHash = node.acceptsReceiptsByHash ?? true
  let responses = await request(byHash)
  // Some nodes accept a block number only. The receipts contain the hash, which is verified in either case.
  if (node.acceptsReceiptsByHash === undefined && responses.some(isRejected)) {
    byHash = false
    responses = await request(byHash)
  }
  const logs: Log[] = []
  for (const [index, block] of blocks.entries()) {
    const response = responses[index]
    if (response?.error && isUnsupported(response.error)) {
      node.unsupportedMethods.add(method)
      return undefined
    }
    if (response?.error) {
      throw response.error
    }
    for (const log of parseReceipts(response?.result, block, filter)) {
      logs.push(log)
    }
  }
  node.acceptsReceiptsByHash ??= byHash
  return logs
}

function isRejected({ error }: { readonly error?: NodeError | undefined }): boolean {
  return error?.kind === 'rejected' && !isUnsupported(error)
}

function isUnsupported({ code, message }: NodeError): boolean {
  return unsupportedCodes.includes(code ?? 0) || unsupportedMessage.test(message)
}

type Fields = Record<string, unknown>

/**
 * Parses the receipts of a block. This runs on every log of a chain, so that it validates as little as possible of those
 * that the filter excludes.
 *
 * @throws {NodeError} when these are not, as far as can be verified, all receipts of the block.
 */
function parseReceipts(result: unknown, block: BlockHeader, filter: TopicFilter): Log[] {
  if (!Array.isArray(result)) {
    throw createMismatch(block, 'not a list')
  }
  if (result.length !== block.transactionCount) {
    throw createMismatch(block, `${result.length} of ${block.transactionCount} transactions`)
  }
  const matches: Log[] = []
  const logIndexes = new Set<number>()
  let count = 0
  for (const receipt of result as unknown[]) {
    if (!isObject(receipt) || !Array.isArray(receipt['logs'])) {
      throw createInvalidReceipt()
    }
    if (!isHash(receipt['blockHash'], block.hash)) {
      throw createMismatch(block, 'a receipt of another block')
    }
    let from: string | undefined
    for (const log of receipt['logs'] as unknown[]) {
      if (!isObject(log) || !Array.isArray(log['topics']) || log['removed'] === true) {
        throw createInvalidReceipt()
      }
      if (!isHash(log['blockHash'], block.hash)) {
        throw createMismatch(block, 'a log of another block')
      }
      const logIndex = parseQuantity(log['logIndex'])
      logIndexes.add(logIndex)
      count++
      if (!filter.matches(log['topics'][0])) {
        continue
      }
      from ??= parseBytes(receipt['from'], 20)
      matches.push({
        blockNumber: block.number,
        blockHash: block.hash,
        logIndex,
        address: parseBytes(log['address'], 20),
        topics: log['topics'].map((topic) => parseBytes(topic, 32)),
        data: parseBytes(log['data']),
        transactionFrom: from,
      })
    }
  }
  if (logIndexes.size !== count) {
    throw createMismatch(block, 'duplicate logs')
  }
  if (matches.length === 0) {
    verifyBloom(block, filter, result)
  }
  return isSorted(matches) ? matches : matches.sort((a, b) => a.logIndex - b.logIndex)
}

/** Detects receipts that are complete in number and omit their logs. */
function verifyBloom(block: BlockHeader, filter: TopicFilter, receipts: readonly Fields[]): void {
  const { logsBloom } = block
  if (logsBloom === undefined || !filter.mayMatch(logsBloom)) {
    return
  }
  const logs = receipts.flatMap((receipt) => receipt['logs'] as Fields[])
  const entries = logs.flatMap(({ address, topics }) => [
    parseBytes(address, 20),
    ...(topics as unknown[]).map((topic) => parseBytes(topic, 32)),
  ])
  if (!bloomMatchesLogs(logsBloom, entries)) {
    throw createMismatch(block, 'logs are missing')
  }
}

function isSorted(logs: readonly Log[]): boolean {
  return logs.every((log, index) => index === 0 || (logs[index - 1]?.logIndex ?? 0) < log.logIndex)
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isHash(value: unknown, hash: string): boolean {
  return value === hash || (typeof value === 'string' && value.toLowerCase() === hash)
}

function createInvalidReceipt(): NodeError {
  return new NodeError('The node returned an invalid receipt', { kind: 'malformed' })
}

function createMismatch({ number }: BlockHeader, detail: string): NodeError {
  return new NodeError(`Inconsistent receipts of block ${number}: ${detail}`, { kind: 'mismatch' })
}
