import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { createMismatch, NodeError } from '../transport/NodeError.ts'
import type { TopicFilter } from '../verify/TopicFilter.ts'
import { verifyBlock } from '../verify/verifyBlock.ts'
import type { Violation } from '../verify/Violation.ts'
import type { BlockHeader } from './BlockHeader.ts'
import { getLogs } from './getLogs.ts'
import { getTransactionSenders } from './getTransactionSenders.ts'
import { isLog, type Log, parseLog, type RawReceipt } from './Log.ts'
import { formatQuantity, parseBytes } from './parseHex.ts'

const method = 'eth_getBlockReceipts'
/** JSON-RPC error codes for a method that does not exist or is disabled. */
const unsupportedCodes = [-32601, -32004]
const unsupportedMessage =
  /method.*(?:not (?:found|supported|available|allowed|enabled)|does not exist|unsupported)|(?:unsupported|unknown) method/i

interface ReceiptsOptions {
  readonly filter: TopicFilter
  /** Whether to recompute the receipts root of each block. */
  readonly verifiesRoots: boolean
  /** Whether to fetch the logs of blocks whose receipts are incomplete by `eth_getLogs`; false by default. */
  readonly completesByLogs?: boolean
}

/**
 * Fetches the receipts of whole blocks and parses the logs that match the filter, in the chain's order.
 *
 * @returns undefined when the node does not support the method, which is remembered.
 * @throws {NodeError} when the request fails, or the receipts are not those of exactly these blocks.
 */
export async function getBlockReceipts(
  node: NodeConnection,
  blocks: readonly BlockHeader[],
  options: ReceiptsOptions,
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
  const loaders: (() => Log[] | Promise<Log[]>)[] = []
  for (const [index, block] of blocks.entries()) {
    const response = responses[index]
    if (response?.error && isUnsupported(response.error)) {
      node.unsupportedMethods.add(method)
      return undefined
    }
    if (response?.error) {
      throw response.error
    }
    const receipts = parseReceipts(response?.result)
    const violation = receipts
      ? verifyBlock(block, {
          receipts,
          logs: receipts.flatMap(({ logs }) => logs),
          verifiesRoot: options.verifiesRoots,
        })
      : { kind: 'missing' as const, block: block.number, detail: 'no receipts' }
    if (violation && !(options.completesByLogs && isIncomplete(violation))) {
      throw createMismatch(violation)
    }
    loaders.push(() =>
      violation
        ? fetchCompleteLogs(node, block, violation, options, deadline)
        : parseMatchingLogs(receipts ?? [], block, options),
    )
  }
  node.acceptsReceiptsByHash ??= byHash
  return (await Promise.all(loaders.map(async (load) => await load()))).flat()
}

/**
 * Fetches the logs of a block whose receipts are incomplete, which some nodes return permanently for a few blocks. They are
 * verified against the bloom filter of the block, and not against the receipts root.
 *
 * @see https://github.com/0xPolygon/bor/issues/1654
 */
async function fetchCompleteLogs(
  node: NodeConnection,
  block: BlockHeader,
  violation: Violation,
  { filter }: ReceiptsOptions,
  deadline?: Deadline,
): Promise<Log[]> {
  // By the hash of the block, so that a node which lacks it returns an error.
  const logs = await getLogs(node, [block], { filter, isFinalized: false }, deadline)
  const complete = await getTransactionSenders(node, logs, logs.length > 0 ? [block] : [], deadline)
  node.statistics.recordViolation(violation.kind)
  return complete
}

/** Whether receipts are missing, rather than different. */
function isIncomplete({ kind }: Violation): boolean {
  return kind === 'missing' || kind === 'transactions'
}

function isRejected({ error }: { readonly error?: NodeError | undefined }): boolean {
  return error?.kind === 'rejected' && !isUnsupported(error)
}

function isUnsupported({ code, message }: NodeError): boolean {
  return unsupportedCodes.includes(code ?? 0) || unsupportedMessage.test(message)
}

/** @returns undefined where the node has none for the block. */
function parseReceipts(result: unknown): RawReceipt[] | undefined {
  if (result === null) {
    return undefined
  }
  if (Array.isArray(result) && result.every(isReceipt)) {
    return result
  }
  throw new NodeError('The node returned an invalid receipt', { kind: 'malformed' })
}

/** @param receipts - those of the block. */
function parseMatchingLogs(
  receipts: readonly RawReceipt[],
  block: BlockHeader,
  { filter }: ReceiptsOptions,
): Log[] {
  return receipts.flatMap(({ from, logs }) => {
    const matches = logs.filter(({ topics: [topic] }) => filter.matches(topic))
    const transactionFrom = matches.length > 0 ? parseBytes(from, 20) : ''
    return matches.map((log) => ({ ...parseLog(log, block), transactionFrom }))
  })
}

function isReceipt(value: unknown): value is RawReceipt {
  return isObject(value) && Array.isArray(value['logs']) && value['logs'].every(isLog)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
