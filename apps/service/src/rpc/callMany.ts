import { askManyAtBlock } from './askAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import type { Call, CallOutcome } from './CallOutcome.ts'
import { isRevert } from './isRevert.ts'
import type { Answer } from './Question.ts'
import { NodeError } from './NodeError.ts'
import type { NodePool } from './NodePool.ts'
import type { Patience } from './Patience.ts'
import { parseBytes } from './parseHex.ts'

/**
 * Asks what contracts answer to calls at one block. What one node does not tell is asked of the next.
 *
 * @returns an outcome for each call, in their order.
 */
export async function callMany(
  pool: NodePool,
  calls: readonly Call[],
  block: BlockRef,
  patience?: Patience,
): Promise<CallOutcome[]> {
  const outcomes: (CallOutcome | undefined)[] = calls.map(() => undefined)
  const open = () =>
    [...outcomes.keys()]
      .filter((index) => outcomes[index]?.kind !== 'answered')
      .filter((index) => outcomes[index]?.kind !== 'reverted')
  try {
    await pool.run(async (node, waiting) => {
      const asked = open()
      const questions = asked
        .flatMap((index) => calls[index] ?? [])
        .map(({ maximumBytes, ...subject }) => ({ subject, maximumBytes }))
      const answers = await askManyAtBlock(node, 'eth_call', questions, block, waiting)
      let failure: NodeError | undefined
      for (const [at, index] of asked.entries()) {
        const outcome = outcomeOf(answers[at])
        outcomes[index] = outcome
        if (outcome.kind === 'failed') failure = outcome.error
      }
      if (failure) throw failure
    }, patience)
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    for (const index of open()) outcomes[index] ??= { kind: 'failed', error }
  }
  return outcomes as CallOutcome[]
}

function outcomeOf(answer: Answer | undefined): CallOutcome {
  try {
    if (!answer?.error) return { kind: 'answered', data: parseBytes(answer?.result) }
    const { error } = answer
    // It is of this call alone: the contract told more than its caller has use for.
    const isOver = isRevert(error) || error.kind === 'too-large'
    return isOver ? { kind: 'reverted' } : { kind: 'failed', error }
  } catch (error) {
    if (error instanceof NodeError) return { kind: 'failed', error }
    throw error
  }
}
