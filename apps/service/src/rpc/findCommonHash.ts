import type { NodePool, Task } from './NodePool.ts'
import { parseHeader } from './parseHeader.ts'

/** A node that takes longer has no say. */
const patienceMs = 3_000
/** A node whose newest block is older, by the clock, may not have got so far yet: that it lacks a block says nothing. */
const staleSeconds = 600

/**
 * The hash of a block that the nodes have in common.
 *
 * @returns undefined when none has it, when they have different ones, or when one lacks it that follows the chain.
 */
export async function findCommonHash(
  pool: NodePool,
  number: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const told = await pool.runEach(askBlock(number), { signal, totalMs: patienceMs })
  signal?.throwIfAborted()
  const answers = told.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const hashes = new Set(answers.flatMap(({ hash }) => hash ?? []))
  const isContradicted = answers.some(({ hash, isFollowing }) => hash === undefined && isFollowing)
  return hashes.size === 1 && !isContradicted ? [...hashes][0] : undefined
}

function askBlock(number: number): Task<{ hash: string | undefined; isFollowing: boolean }> {
  const params = [`0x${number.toString(16)}`, 'latest'].map((block) => [block, false])
  const questions = params.map((each) => ({ method: 'eth_getBlockByNumber', params: each }))
  return async (node, waiting) => {
    const [block, head] = (await node.askMany(questions, waiting)).map((answer) => {
      if (answer.error) throw answer.error
      return typeof answer.result === 'object' && answer.result
        ? parseHeader(answer.result)
        : undefined
    })
    return {
      hash: block?.number === number ? block.hash : undefined,
      isFollowing: head !== undefined && Date.now() / 1000 - head.time < staleSeconds,
    }
  }
}
