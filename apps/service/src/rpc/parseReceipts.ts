import type { BlockHeader } from './BlockHeader.ts'
import { explainsBloom } from './explainsBloom.ts'
import type { Log } from './Log.ts'
import { NodeError } from './NodeError.ts'
import { parseBytes, parseQuantity } from './parseHex.ts'
import type { TopicFilter } from './TopicFilter.ts'

type Fields = Record<string, unknown>

/**
 * Reads the answer of `eth_getBlockReceipts`: the wanted logs of the block, in the chain's order.
 *
 * This runs over every log of a chain, wanted or not, so that what is dropped is looked at as little as may be.
 *
 * @throws {NodeError} when these are not all the receipts of this block, as far as can be known.
 */
export function parseReceipts(answer: unknown, block: BlockHeader, filter: TopicFilter): Log[] {
  if (!Array.isArray(answer)) throw mismatch(block, 'has no receipts')
  if (answer.length !== block.transactionCount)
    throw mismatch(block, `has ${answer.length} receipts of ${block.transactionCount} transactions`)
  const wanted: Log[] = []
  const indices = new Set<number>()
  let count = 0
  for (const receipt of answer as unknown[]) {
    if (!isObject(receipt) || !Array.isArray(receipt['logs'])) throw noReceipt()
    if (!isHash(receipt['blockHash'], block.hash)) throw mismatch(block, 'has receipts of another')
    let from: string | undefined
    for (const log of receipt['logs'] as unknown[]) {
      if (!isObject(log) || !Array.isArray(log['topics']) || log['removed'] === true)
        throw noReceipt()
      if (!isHash(log['blockHash'], block.hash)) throw mismatch(block, 'has logs of another')
      const logIndex = parseQuantity(log['logIndex'])
      indices.add(logIndex)
      count++
      if (!filter.has(log['topics'][0])) continue
      from ??= parseBytes(receipt['from'], 20)
      wanted.push({
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
  if (indices.size !== count) throw mismatch(block, 'has a log twice')
  if (wanted.length === 0) checkBloom(block, filter, answer)
  return isOrdered(wanted) ? wanted : wanted.sort((a, b) => a.logIndex - b.logIndex)
}

/** Receipts may be of the right number and yet keep silent about their logs. */
function checkBloom(block: BlockHeader, filter: TopicFilter, receipts: readonly Fields[]): void {
  const { logsBloom } = block
  if (logsBloom === undefined || !filter.mayBeIn(logsBloom)) return
  const logs = receipts.flatMap((receipt) => receipt['logs'] as Fields[])
  const entries = logs.flatMap(({ address, topics }) => [
    parseBytes(address, 20),
    ...(topics as unknown[]).map((topic) => parseBytes(topic, 32)),
  ])
  if (!explainsBloom(logsBloom, entries)) throw mismatch(block, 'has more logs than its receipts')
}

function isOrdered(logs: readonly Log[]): boolean {
  return logs.every((log, at) => at === 0 || (logs[at - 1]?.logIndex ?? 0) < log.logIndex)
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isHash(value: unknown, hash: string): boolean {
  return value === hash || (typeof value === 'string' && value.toLowerCase() === hash)
}

function noReceipt(): NodeError {
  return new NodeError('The node answered an entry that is no receipt', { kind: 'malformed' })
}

function mismatch({ number }: BlockHeader, detail: string): NodeError {
  return new NodeError(`By the node's answers, block ${number} ${detail}`, { kind: 'mismatch' })
}
