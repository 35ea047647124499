import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { createMismatch, NodeError } from '../transport/NodeError.ts'
import type { TopicFilter } from '../verify/TopicFilter.ts'
import { verifyBlock } from '../verify/verifyBlock.ts'
import type { BlockHeader } from './BlockHeader.ts'
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
    for (const log of parseReceipts(response?.result, block, options)) {
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

/** Parses the matching logs of the receipts of a block. */
function parseReceipts(
  result: unknown,
  block: BlockHeader,
  { filter, verifiesRoots }: ReceiptsOptions,
): Log[] {
  if (result === null) {
    const [kind, detail] = ['missing', 'no receipts'] as const
    throw createMismatch({ kind, block: block.number, detail })
  }
  if (!Array.isArray(result) || !result.every(isReceipt)) {
    throw new NodeError('The node returned an invalid receipt', { kind: 'malformed' })
  }
  const violation = verifyBlock(block, {
    receipts: result,
    logs: result.flatMap(({ logs }) => logs),
    verifiesRoot: verifiesRoots,
  })
  if (violation) {
    throw createMismatch(violation)
  }
  return result.flatMap(({ from, logs }) => {
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
