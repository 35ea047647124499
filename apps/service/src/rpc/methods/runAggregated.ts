import type { CallOptions, Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { NodePool } from '../transport/NodePool.ts'
import { aggregation } from './aggregateCalls.ts'

/** A smaller number of items that failed together is not split. */
export const minSplit = 8
/** Messages of nodes for calls that use up the gas together, or with results that exceed the size of a contract. */
const exceeded = /\bgas\b|out ?of ?gas|oog\b|(?:code|contract|create)\w* ?size/i

/** Whether items that are executed together exceed a limit of a node: fewer of them may succeed. */
export function exceedsCallLimit(error: unknown): boolean {
  return error instanceof NodeError && exceeded.test(error.message)
}

/**
 * Executes aggregated calls. Items that exceed a limit of the nodes together are executed in ever smaller groups.
 *
 * @param execute - resolves to a result of each item, in their order.
 * @returns the results; undefined for those that failed, and for all where no node aggregates calls.
 */
export async function runAggregated<Item, Result>(
  pool: Pick<NodePool, 'run'>,
  items: readonly Item[],
  execute: (
    node: NodeConnection,
    items: readonly Item[],
    deadline: Deadline,
  ) => Promise<readonly (Result | undefined)[]>,
  options: CallOptions,
): Promise<readonly (Result | undefined)[]> {
  const none = items.map(() => undefined)
  try {
    return await pool.run(async (node, deadline) => {
      if (node.unsupportedMethods.has(aggregation)) {
        return none
      }
      try {
        return await execute(node, items, deadline)
      } catch (error) {
        // The code itself never reverts.
        if (error instanceof NodeError && error.kind === 'reverted' && !exceedsCallLimit(error)) {
          node.unsupportedMethods.add(aggregation)
        }
        throw error
      }
    }, options)
  } catch (error) {
    if (!(error instanceof NodeError)) {
      throw error
    }
    if (!exceedsCallLimit(error) || items.length <= minSplit) {
      return none
    }
    const middle = Math.ceil(items.length / 2)
    const halves = [items.slice(0, middle), items.slice(middle)]
    const results = halves.map((half) => runAggregated(pool, half, execute, options))
    return (await Promise.all(results)).flat()
  }
}
