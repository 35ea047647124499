import { NodeError } from './NodeError.ts'
import type { NodePool, Task } from './NodePool.ts'

/** A node that takes longer has no say. */
const tellMs = 10_000
const restMs = 30_000

/**
 * Asks every node alone whether something is so. When any says yes, those that say no rest: they follow another chain.
 *
 * @returns whether any says yes.
 * @throws {NodeError} when none does, and one that might did not answer.
 */
export async function anyTells(
  pool: NodePool,
  task: Task<boolean>,
  signal?: AbortSignal,
): Promise<boolean> {
  const told = await pool.runEach(task, { signal, totalMs: tellMs })
  signal?.throwIfAborted()
  const isTold = told.some((each) => each.status === 'fulfilled' && each.value)
  for (const [at, each] of told.entries()) {
    if (each.status === 'fulfilled' && !each.value && isTold) pool.rest(at, restMs)
    if (each.status === 'rejected' && !isTold) {
      const reason: unknown = each.reason
      throw reason instanceof NodeError
        ? reason.about('A node contradicts what is indexed, and another cannot be asked')
        : reason
    }
  }
  return isTold
}
