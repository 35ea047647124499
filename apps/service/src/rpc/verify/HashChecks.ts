import { isObject } from '../../isObject.ts'
import { formatQuantity } from '../methods/parseHex.ts'
import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import type { NodePool, Task } from '../transport/NodePool.ts'
import { verifyHeader } from './verifyHeader.ts'
import { verifyReceipts } from './verifyReceipts.ts'

/**
 * What is verified by recomputing hashes:
 *
 * - `basic`: nothing. Responses are compared with one another only.
 * - `head`: the hash of every block, the receipts root of those that are not final yet, and a sample of native balances.
 * - `receipts`: the receipts root of all blocks, too.
 */
export type VerifyLevel = 'basic' | 'head' | 'receipts'

/** Which hashes of a chain this version can recompute; undefined until a final block has shown it. */
export interface HashSupport {
  readonly headers: boolean | undefined
  readonly receipts: boolean | undefined
}

/** Final blocks that are compared. */
const comparedBlocks = 8
const timeoutMs = 10_000
const unknown: HashSupport = { headers: undefined, receipts: undefined }

/**
 * Decides for a chain which hashes are verified. Where a chain hashes its blocks otherwise, or where its receipts have
 * unknown fields, no node's responses match, so that a mismatch means nothing.
 */
export class HashChecks {
  readonly #level: VerifyLevel
  #support = unknown

  constructor(level: VerifyLevel) {
    this.#level = level
  }

  /** Whether hashes of blocks are verified. */
  get verifiesHeaders(): boolean {
    return this.#level !== 'basic' && this.#support.headers === true
  }

  /** Whether the receipts root of a block is verified. */
  verifiesReceipts(isFinalized: boolean): boolean {
    const isWanted = this.#level === 'receipts' || (this.#level === 'head' && !isFinalized)
    return isWanted && this.#support.receipts === true
  }

  /**
   * Compares final blocks of all nodes with their hashes, until both are known. One node that matches is sufficient: a
   * match by chance is impossible.
   */
  async detect(pool: NodePool, finalizedBlock: number, signal?: AbortSignal): Promise<HashSupport> {
    const { headers, receipts } = this.#support
    if (finalizedBlock < 1 || (headers !== undefined && receipts !== undefined)) {
      return this.#support
    }
    const results = await pool.runOnAll(compareWithHashes(finalizedBlock), { signal, timeoutMs })
    signal?.throwIfAborted()
    const found = results.map((result) => (result.status === 'fulfilled' ? result.value : unknown))
    this.#support = {
      headers: headers ?? anyOf(found.map((each) => each.headers)),
      receipts: receipts ?? anyOf(found.map((each) => each.receipts)),
    }
    return this.#support
  }
}

function anyOf(found: readonly (boolean | undefined)[]): boolean | undefined {
  return found.includes(true) || (found.includes(false) ? false : undefined)
}

/**
 * Compares the latest final blocks, the others only if the latest one shows nothing, and the receipts of one with transactions.
 */
function compareWithHashes(finalizedBlock: number): Task<HashSupport> {
  const length = Math.min(comparedBlocks, finalizedBlock)
  const requests = Array.from({ length }, (_, index) => ({
    method: 'eth_getBlockByNumber',
    params: [formatQuantity(finalizedBlock - index), false],
  }))
  const request = async (node: NodeConnection, deadline: Deadline, from: number, to: number) =>
    (await node.requestMany(requests.slice(from, to), deadline)).flatMap((response) =>
      !response.error && isObject(response.result) ? [response.result] : [],
    )
  return async (node, deadline) => {
    const latest = await request(node, deadline, 0, 1)
    const isSufficient = latest.some(
      (block) => verifyHeader(block) === 'valid' && hasTransactions(block),
    )
    const blocks = isSufficient
      ? latest
      : [...latest, ...(await request(node, deadline, 1, length))]
    const headers =
      blocks.length === 0 ? undefined : blocks.some((block) => verifyHeader(block) === 'valid')
    const block = blocks.find(hasTransactions)
    if (!block || node.capabilities.unsupportedMethods.has('eth_getBlockReceipts')) {
      return { headers, receipts: undefined }
    }
    const { number, hash, receiptsRoot } = block as Record<string, string>
    const [response] = await node.requestMany(
      [{ method: 'eth_getBlockReceipts', params: [number] }],
      deadline,
    )
    if (!response || response.error || !Array.isArray(response.result)) {
      return { headers, receipts: undefined }
    }
    const receipts = (response.result as unknown[]).filter(isObject)
    const root = { number: Number(number), hash: hash ?? '', receiptsRoot: receiptsRoot ?? '' }
    return { headers, receipts: verifyReceipts(receipts, root) === 'valid' }
  }
}

function hasTransactions({ transactions }: Record<string, unknown>): boolean {
  return (transactions as unknown[]).length > 0
}
