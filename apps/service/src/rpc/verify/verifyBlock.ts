import type { BlockHeader } from '../methods/BlockHeader.ts'
import type { RawLog, RawReceipt } from '../methods/Log.ts'
import { parseQuantity } from '../methods/parseHex.ts'
import { omitsEntries } from './bloom.ts'
import type { TopicFilter } from './TopicFilter.ts'
import { verifyReceipts } from './verifyReceipts.ts'
import type { Violation, ViolationKind } from './Violation.ts'

/** What a node returned of a block. */
export interface BlockContent {
  /** All receipts in the order of their transactions; undefined where only the logs were requested. */
  readonly receipts?: readonly RawReceipt[]
  /** All logs in the order of their indexes. */
  readonly logs: readonly RawLog[]
  /** Whether to recompute the root of the receipts. */
  readonly verifiesRoot?: boolean
}

/** Compares a block with its content. */
type BlockCheck = (
  header: BlockHeader,
  content: BlockContent,
) => readonly [kind: ViolationKind, detail: string] | undefined

/** The cheap ones first. */
const blockChecks: readonly BlockCheck[] = [
  checkReceipts,
  checkBlockHashes,
  checkLogIndexes,
  checkBloom,
  checkReceiptsRoot,
]

/**
 * Verifies that receipts and logs are those of a block, as far as its header allows.
 *
 * Logs that the block does not have are accepted where they are numbered, because some chains leave system logs out of the
 * bloom filter.
 *
 * @throws {NodeError} when a field is malformed.
 */
export function verifyBlock(header: BlockHeader, content: BlockContent): Violation | undefined {
  for (const check of blockChecks) {
    const violation = check(header, content)
    if (violation) {
      return { kind: violation[0], block: header.number, detail: violation[1] }
    }
  }
  return undefined
}

/** Verifies that each block extends the one before. */
export function verifyParents(
  headers: readonly Pick<BlockHeader, 'number' | 'hash' | 'parentHash'>[],
): Violation | undefined {
  for (const [index, { number, parentHash }] of headers.entries()) {
    const parent = headers[index - 1]
    if (parent && parent.hash !== parentHash) {
      return { kind: 'parent_hash', block: number, detail: 'it does not extend the one before' }
    }
  }
  return undefined
}

/** Verifies that each block extends the one before, and that none without transactions has matching logs. */
export function verifyHeaders(
  headers: readonly BlockHeader[],
  filter: TopicFilter,
): Violation | undefined {
  const withoutTransactions = headers.find(
    ({ logsBloom, transactionHashes }) =>
      logsBloom && transactionHashes.length === 0 && filter.mayMatch(logsBloom),
  )
  return withoutTransactions
    ? {
        kind: 'transactions',
        block: withoutTransactions.number,
        detail: 'logs and no transactions',
      }
    : verifyParents(headers)
}

function checkReceipts(
  { hash, transactionHashes }: BlockHeader,
  { receipts }: BlockContent,
): ReturnType<BlockCheck> {
  if (!receipts) {
    return undefined
  }
  if (receipts.length !== transactionHashes.length) {
    return [
      'transactions',
      `${receipts.length} receipts of ${transactionHashes.length} transactions`,
    ]
  }
  for (const [index, receipt] of receipts.entries()) {
    if (!isHash(receipt['blockHash'], hash)) {
      return ['block_hash', 'a receipt of another block']
    }
    const transactionHash = transactionHashes[index] ?? ''
    const { logs } = receipt
    if (
      !isHash(receipt['transactionHash'], transactionHash) ||
      !logs.every((log) => isHash(log['transactionHash'], transactionHash))
    ) {
      return ['transactions', `the receipt at index ${index} is of another transaction`]
    }
  }
  return undefined
}

function checkBlockHashes({ hash }: BlockHeader, { logs }: BlockContent): ReturnType<BlockCheck> {
  return logs.every((log) => isHash(log['blockHash'], hash))
    ? undefined
    : ['block_hash', 'a log of another block']
}

function checkLogIndexes(
  { transactionHashes }: BlockHeader,
  { receipts, logs }: BlockContent,
): ReturnType<BlockCheck> {
  let transaction = 0
  for (const [index, log] of logs.entries()) {
    const logIndex = parseQuantity(log['logIndex'])
    if (logIndex !== index) {
      return ['log_index', `log ${logIndex} in place of log ${index}`]
    }
    // The logs of receipts are compared with their transactions already.
    while (!receipts && !isHash(log['transactionHash'], transactionHashes[transaction])) {
      if (++transaction >= transactionHashes.length) {
        return ['transactions', `log ${index} is not of one of the transactions, in their order`]
      }
    }
  }
  return undefined
}

function checkBloom({ logsBloom }: BlockHeader, { logs }: BlockContent): ReturnType<BlockCheck> {
  return logsBloom !== undefined && omitsEntries(logsBloom, logs)
    ? ['logs_bloom', 'logs are missing']
    : undefined
}

/** Receipts of a type that is unknown here are accepted where they differ. */
function checkReceiptsRoot(
  { number, hash, receiptsRoot }: BlockHeader,
  { receipts, verifiesRoot }: BlockContent,
): ReturnType<BlockCheck> {
  return verifiesRoot &&
    receipts &&
    receiptsRoot !== undefined &&
    verifyReceipts(receipts, { number, hash, receiptsRoot }) === 'invalid'
    ? ['receipts_root', 'other receipts than those of its root']
    : undefined
}

/** @param hash - in lower case. */
function isHash(value: unknown, hash: string | undefined): boolean {
  return value === hash || (typeof value === 'string' && value.toLowerCase() === hash)
}
