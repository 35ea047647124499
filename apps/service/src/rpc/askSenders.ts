import type { BlockRef } from './BlockHeader.ts'
import type { Log, UnsentLog } from './Log.ts'
import type { NodeConnection } from './NodeConnection.ts'
import { NodeError } from './NodeError.ts'
import type { Waiting } from './Patience.ts'
import { parseSenders } from './parseSenders.ts'

/**
 * Completes logs of these blocks by who sent their transactions, which whole blocks tell.
 *
 * @throws {NodeError} when the node has other blocks in their place, or not all of the transactions.
 */
export async function askSenders(
  node: NodeConnection,
  logs: readonly UnsentLog[],
  blocks: readonly BlockRef[],
  waiting?: Waiting,
): Promise<Log[]> {
  const questions = blocks.map(({ number }) => ({
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, true],
  }))
  const answers = await node.askMany(questions, waiting)
  const senders = new Map<string, ReadonlyMap<string, string>>()
  for (const [index, block] of blocks.entries()) {
    const answer = answers[index]
    if (answer?.error) throw answer.error
    senders.set(block.hash, parseSenders(answer?.result, block))
  }
  return logs.map(({ transactionHash, ...log }) => {
    const transactionFrom = senders.get(log.blockHash)?.get(transactionHash)
    if (transactionFrom !== undefined) return { ...log, transactionFrom }
    throw new NodeError(
      `The node has a log of a transaction that block ${log.blockNumber} has not`,
      { kind: 'mismatch' },
    )
  })
}
