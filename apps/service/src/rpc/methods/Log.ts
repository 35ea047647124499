import type { BlockRef } from './BlockHeader.ts'
import { parseBytes, parseQuantity } from './parseHex.ts'

/** A log of a contract. All hex is lower case. */
export interface Log {
  readonly blockNumber: number
  readonly blockHash: string
  readonly logIndex: number
  /** The contract. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A log, and the sender of its transaction. */
export interface LogWithSender extends Log {
  readonly transactionFrom: string
}

/** A log of `eth_getLogs`, which contains the hash of the transaction and not its sender. */
export interface LogWithTransactionHash extends Log {
  readonly transactionHash: string
}

/** A log as a node returned it: of its fields only the list of topics is validated. */
export interface RawLog {
  readonly topics: readonly unknown[]
  readonly [field: string]: unknown
}

/** A receipt as a node returned it: of its fields only the list of logs is validated. */
export interface RawReceipt {
  readonly logs: readonly RawLog[]
  readonly [field: string]: unknown
}

/** Whether a response contains a log there, and not one that a reorg removed. */
export function isLog(value: unknown): value is RawLog {
  const log = (typeof value === 'object' ? value : null) as Record<string, unknown> | null
  return Array.isArray(log?.['topics']) && log['removed'] !== true
}

/**
 * Parses a log of a block that it was verified with. The contract's data may be anything.
 *
 * @throws {NodeError} when a field is malformed.
 */
export function parseLog(log: RawLog, { number, hash }: BlockRef): Log {
  return {
    blockNumber: number,
    blockHash: hash,
    logIndex: parseQuantity(log['logIndex']),
    address: parseBytes(log['address'], 20),
    topics: log.topics.map((topic) => parseBytes(topic, 32)),
    data: parseBytes(log['data']),
  }
}
