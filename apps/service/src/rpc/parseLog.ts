import type { UnsentLog } from './Log.ts'
import { NodeError } from './NodeError.ts'
import { parseBytes, parseQuantity } from './parseHex.ts'

/**
 * Reads an entry of `eth_getLogs`. What the contract wrote may be anything; what the node wrote around it may not.
 *
 * @throws {NodeError} retryable, when the entry is no log or belongs to a block that was replaced.
 */
export function parseLog(value: unknown): UnsentLog {
  const log = (typeof value === 'object' ? value : null) as Record<string, unknown> | null
  if (!log || !Array.isArray(log['topics']) || log['removed'] === true)
    throw new NodeError('The node answered an entry that is no log', { kind: 'malformed' })
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
