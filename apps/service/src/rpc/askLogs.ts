import type { BlockHeader } from './BlockHeader.ts'
import { explainsBloom } from './explainsBloom.ts'
import type { UnsentLog } from './Log.ts'
import type { NodeConnection } from './NodeConnection.ts'
import type { Answer } from './Question.ts'
import { NodeError } from './NodeError.ts'
import type { Waiting } from './Patience.ts'
import { parseLog } from './parseLog.ts'
import type { TopicFilter } from './TopicFilter.ts'

const method = 'eth_getLogs'

/** Asks a node for the wanted logs of a range of blocks, both ends included, in the chain's order. */
export async function askLogs(
  node: NodeConnection,
  { from, to }: { readonly from: number; readonly to: number },
  { topics }: TopicFilter,
  waiting?: Waiting,
): Promise<UnsentLog[]> {
  const [fromBlock, toBlock] = [from, to].map((number) => `0x${number.toString(16)}`)
  return logsOf(await node.ask(method, [{ fromBlock, toBlock, topics: [topics] }], waiting))
}

/**
 * Asks a node for the wanted logs of exactly these blocks: unlike by number, a node that does not have one says so.
 *
 * @throws {NodeError} also when it tells none of a block whose bloom only wanted ones can explain.
 */
export async function askLogsOfBlocks(
  node: NodeConnection,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  waiting?: Waiting,
): Promise<UnsentLog[]> {
  const ask = async (of: readonly BlockHeader[], topics?: readonly unknown[]) => {
    const questions = of.map(({ hash }) => ({
      method,
      params: [{ blockHash: hash, ...(topics && { topics }) }],
    }))
    return (await node.askMany(questions, waiting)).map(resultOf)
  }
  const answers = await ask(blocks, [filter.topics])
  const doubtful = blocks.filter(
    ({ logsBloom }, index) =>
      answers[index]?.length === 0 && logsBloom !== undefined && filter.mayBeIn(logsBloom),
  )
  // All logs of the block show whether the bloom means others.
  const whole = await ask(doubtful)
  const told = new Map(blocks.map((block, index) => [block, answers[index] ?? []]))
  for (const [index, block] of doubtful.entries()) {
    const { number, logsBloom } = block
    const logs = whole[index] ?? []
    const entries = logs.flatMap(({ address, topics }) => [address, ...topics])
    if (logsBloom !== undefined && !explainsBloom(logsBloom, entries))
      throw new NodeError(`The node keeps silent about logs of block ${number}`, {
        kind: 'mismatch',
      })
    // Now it may tell wanted ones too: then its first answer was the wrong one.
    told.set(
      block,
      logs.filter(({ topics: [topic] }) => filter.has(topic)),
    )
  }
  return [...told.values()].flat()
}

function resultOf(answer: Answer): UnsentLog[] {
  if (answer.error) throw answer.error
  return logsOf(answer.result)
}

function logsOf(answer: unknown): UnsentLog[] {
  if (!Array.isArray(answer))
    throw new NodeError('The node answered no list of logs', { kind: 'malformed' })
  return answer
    .map(parseLog)
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}
