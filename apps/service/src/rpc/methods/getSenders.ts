import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { getResult } from '../transport/parseResponses.ts'
import { batchAtBlock } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import { parseBytes } from './parseHex.ts'

/**
 * Fetches the senders of transactions.
 *
 * @returns senders by hash, without the transactions that the node does not have.
 */
export async function getSenders(
  node: NodeConnection,
  hashes: readonly string[],
  deadline?: Deadline,
): Promise<Map<string, string>> {
  const requests = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
  const responses = await node.requestMany(requests, deadline)
  const senders = new Map<string, string>()
  for (const [index, response] of responses.entries()) {
    const transaction = getResult(response) as Record<string, unknown> | null | undefined
    const hash = hashes[index]
    if (transaction && hash !== undefined && parseBytes(transaction['hash'], 32) === hash) {
      senders.set(hash, parseBytes(transaction['from'], 20))
    }
  }
  return senders
}

/** The code of an account that delegates to a contract (EIP-7702) starts with it: it still sends transactions. */
const delegation = '0xef0100'
/** The size of a contract is limited to 24,576 bytes (EIP-170) on most chains. */
const maxCodeBytes = 256 * 1024

/** Finds the accounts that are contracts, which send no transactions. */
export async function getContracts(
  node: NodeConnection,
  addresses: readonly string[],
  block: BlockRef,
  deadline?: Deadline,
): Promise<Set<string>> {
  const calls = addresses.map((subject) => ({ subject, maxBytes: maxCodeBytes }))
  const responses = await batchAtBlock(node, 'eth_getCode', calls, block, deadline)
  const contracts = new Set<string>()
  for (const [index, response] of responses.entries()) {
    const code = parseBytes(getResult(response))
    const address = addresses[index]
    if (code !== '0x' && !code.startsWith(delegation) && address !== undefined) {
      contracts.add(address)
    }
  }
  return contracts
}
