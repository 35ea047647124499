import type { BlockRef } from './BlockHeader.ts'
import type { NodeConnection } from './NodeConnection.ts'
import type { Answer, Question } from './Question.ts'
import { NodeError } from './NodeError.ts'
import type { Waiting } from './Patience.ts'

interface AskedAtBlock extends Pick<Question, 'maximumBytes'> {
  readonly subject: unknown
}

/** JSON-RPC's code for a question of the wrong shape. */
const invalidParameters = -32602

/**
 * Asks a node a question at exactly this block.
 *
 * @throws {NodeError} when it gives no answer, or has another block in its place.
 */
export async function askAtBlock(
  node: NodeConnection,
  method: string,
  subject: unknown,
  block: BlockRef,
  waiting?: Waiting,
): Promise<unknown> {
  const [answer] = await askManyAtBlock(node, method, [{ subject }], block, waiting)
  if (answer && !answer.error) return answer.result
  throw answer?.error ?? new NodeError(`${method}: no answer`, { kind: 'malformed' })
}

/**
 * Asks a node many questions of one method at exactly this block (EIP-1898), or by its number where a node does not
 * understand that.
 *
 * @throws {NodeError} when a whole request fails, or it has another block in its place.
 */
export async function askManyAtBlock(
  node: NodeConnection,
  method: string,
  asked: readonly AskedAtBlock[],
  block: BlockRef,
  waiting?: Waiting,
): Promise<Answer[]> {
  const ask = async (at: unknown) =>
    await node.askMany(
      asked.map(({ subject, maximumBytes }) => ({ method, params: [subject, at], maximumBytes })),
      waiting,
    )
  const answers = await ask({ blockHash: block.hash })
  if (!answers.some(({ error }) => error?.code === invalidParameters)) return answers
  const number = `0x${block.number.toString(16)}`
  const byNumber = await ask(number)
  // Only now, for the block may have been replaced while the node answered.
  const header = await node.ask('eth_getBlockByNumber', [number, false], waiting)
  if ((header as { hash?: unknown } | null)?.hash === block.hash) return byNumber
  throw new NodeError(`The node has another block ${block.number}`, { kind: 'mismatch' })
}
