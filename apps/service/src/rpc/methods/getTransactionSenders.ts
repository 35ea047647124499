import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { createMismatch } from '../transport/NodeError.ts'
import { getResult } from '../transport/parseResponses.ts'
import type { BlockRef } from './BlockHeader.ts'
import type { LogWithSender, LogWithTransactionHash } from './Log.ts'
import { formatQuantity, parseBytes } from './parseHex.ts'

/**
 * Fetches whole blocks and adds the senders of the transactions to logs of these blocks.
 *
 * @throws {NodeError} when the node has different blocks of these numbers, or lacks a transaction.
 */
export async function getTransactionSenders(
  node: NodeConnection,
  logs: readonly LogWithTransactionHash[],
  blocks: readonly BlockRef[],
  deadline?: Deadline,
): Promise<LogWithSender[]> {
  const requests = blocks.map(({ number }) => ({
    method: 'eth_getBlockByNumber',
    params: [formatQuantity(number), true],
  }))
  const responses = await node.requestMany(requests, deadline)
  const sendersByBlock = new Map<string, ReadonlyMap<string, string>>()
  for (const [index, block] of blocks.entries()) {
    sendersByBlock.set(block.hash, parseSenders(getResult(responses[index]), block))
  }
  return logs.map(({ transactionHash, ...log }) => {
    const transactionFrom = sendersByBlock.get(log.blockHash)?.get(transactionHash)
    if (transactionFrom !== undefined) {
      return { ...log, transactionFrom }
    }
    throw createMismatch({
      kind: 'transactions',
      block: log.blockNumber,
      detail: 'a log of a transaction that is not in the block',
    })
  })
}

/** @returns senders by transaction hash. */
function parseSenders(result: unknown, block: BlockRef): Map<string, string> {
  const { hash, transactions } = (result ?? {}) as Record<string, unknown>
  if (!Array.isArray(transactions) || parseBytes(hash, 32) !== block.hash) {
    throw createMismatch({ kind: 'block_hash', block: block.number, detail: 'another hash' })
  }
  return new Map(
    (transactions as (Record<string, unknown> | null)[]).map((transaction) => [
      parseBytes(transaction?.['hash'], 32),
      parseBytes(transaction?.['from'], 20),
    ]),
  )
}
