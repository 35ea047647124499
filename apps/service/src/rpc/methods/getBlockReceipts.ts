import { LogList } from '../receipts/LogList.ts'
import { PackedBlock, splitBlocks } from '../receipts/packLogs.ts'
import { receiptThreads } from '../receipts/ReceiptThreads.ts'
import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { createMismatch, type NodeError } from '../transport/NodeError.ts'
import type { RpcRequest } from '../transport/parseResponses.ts'
import type { TopicFilter } from '../verify/TopicFilter.ts'
import type { Violation } from '../verify/Violation.ts'
import type { BlockHeader } from './BlockHeader.ts'
import { getLogs } from './getLogs.ts'
import { getTransactionSenders } from './getTransactionSenders.ts'
import type { LogWithSender } from './Log.ts'
import { formatQuantity } from './parseHex.ts'
import { parseMatchingLogs, parseReceipts, verifyReceiptsOf } from './parseReceipts.ts'

const method = 'eth_getBlockReceipts'
/** JSON-RPC error codes for a method that does not exist or is disabled. */
const unsupportedCodes = [-32601, -32004]
const unsupportedMessage =
  /method.*(?:not (?:found|supported|available|allowed|enabled)|does not exist|unsupported)|(?:unsupported|unknown) method/i
/** Smaller responses, such as those of single blocks, are parsed sooner than a thread has them. */
const minThreadBytes = 256 * 1024

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
): Promise<LogList | undefined> {
  const { capabilities } = node
  if (capabilities.unsupportedMethods.has(method)) {
    return undefined
  }
  const request = async (byHash: boolean) =>
    await node.requestMany(
      createRequests(blocks, options, ({ hash, number }) =>
        byHash ? hash : formatQuantity(number),
      ),
      deadline,
    )
  let byHash = capabilities.acceptsReceiptsByHash ?? true
  let responses = await request(byHash)
  // Some nodes accept a block number only. The receipts contain the hash, which is verified in either case.
  if (capabilities.acceptsReceiptsByHash === undefined && responses.some(isRejected)) {
    byHash = false
    responses = await request(byHash)
  }
  const loaders: (() => LogWithSender[] | PackedBlock | Promise<LogWithSender[]>)[] = []
  for (const [index, block] of blocks.entries()) {
    const response = responses[index]
    if (response?.error && isUnsupported(response.error)) {
      capabilities.unsupportedMethods.add(method)
      return undefined
    }
    if (response?.error) {
      throw response.error
    }
    const { result } = response ?? {}
    // A thread has verified them.
    if (result instanceof PackedBlock) {
      loaders.push(() => result)
      continue
    }
    const receipts = parseReceipts(result)
    const violation = receipts
      ? verifyReceiptsOf(block, receipts, options.verifiesRoots)
      : { kind: 'missing' as const, block: block.number, detail: 'no receipts' }
    if (violation && !(options.completesByLogs && isIncomplete(violation))) {
      throw createMismatch(violation)
    }
    loaders.push(() =>
      violation
        ? fetchCompleteLogs(node, block, violation, options, deadline)
        : parseMatchingLogs(receipts ?? [], block, options.filter),
    )
  }
  capabilities.acceptsReceiptsByHash ??= byHash
  return new LogList(await Promise.all(loaders.map(async (load) => await load())))
}

/** Requests whose responses are parsed and verified by a thread where that is worth the transfer. */
function createRequests(
  blocks: readonly BlockHeader[],
  { filter: { topics }, verifiesRoots }: ReceiptsOptions,
  getParameter: (block: BlockHeader) => string,
): RpcRequest[] {
  const blockOf = new Map<RpcRequest, BlockHeader>()
  const parseBody: RpcRequest['parseBody'] = async (body, batch, firstId) => {
    if (body.length < minThreadBytes) {
      return { body }
    }
    const ofBatch = batch.flatMap((request) => blockOf.get(request) ?? [])
    const bytes = body.length === body.buffer.byteLength ? body : new Uint8Array(body)
    const request = { body: bytes, firstId, blocks: ofBatch, topics, verifiesRoots }
    const response = await receiptThreads.parse(request)
    return 'body' in response ? response : { results: splitBlocks(response.logs, ofBatch) }
  }
  return blocks.map((block) => {
    const request = { method, params: [getParameter(block)], parseBody }
    blockOf.set(request, block)
    return request
  })
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
): Promise<LogWithSender[]> {
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
