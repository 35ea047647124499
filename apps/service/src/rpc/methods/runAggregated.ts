import { toChunks } from '../../toChunks.ts'
import type { CallOptions, Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { CallSize } from '../transport/NodeLimits.ts'
import type { NodePool } from '../transport/NodePool.ts'

/** Among the unsupported methods of a node. */
export const aggregation = 'aggregated eth_call'
/** A node that rejects so few items together executes no aggregated calls. */
const minItems = 8
/** Messages of nodes for calls that use up the gas together, or with results that exceed the size of a contract. */
const exceeded = /\bgas\b|out ?of ?gas|oog\b|(?:code|contract|create)\w* ?size/i

/**
 * Executes aggregated calls.
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
    return await pool.run(
      async (node, deadline) =>
        node.capabilities.unsupportedMethods.has(aggregation)
          ? none
          : await execute(node, items, deadline),
      options,
    )
  } catch (error) {
    if (error instanceof NodeError) {
      return none
    }
    throw error
  }
}

/**
 * Executes items by one call of a node, or by several with ever fewer items while they exceed its limits together.
 *
 * @param size - of the calls of the node with such items, which is updated.
 * @param execute - executes one call, and resolves to a result of each item, in their order.
 * @throws {NodeError} when a call fails for another reason, or with few items.
 */
export async function executeInParts<Item, Result>(
  node: NodeConnection,
  size: CallSize,
  items: readonly Item[],
  execute: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const parts = toChunks(items, Math.min(items.length, size.max)).map(async (part) => {
    try {
      return await execute(part)
    } catch (error) {
      if (!(error instanceof NodeError)) {
        throw error
      }
      const isExceeded = exceeded.test(error.message)
      const mayExecuteFewer =
        part.length > minItems && !node.capabilities.unsupportedMethods.has(aggregation)
      if (isExceeded && mayExecuteFewer) {
        size.recordExceeded(part.length)
        return await executeInParts(node, size, part, execute)
      }
      // The code itself never reverts.
      if (isExceeded || error.kind === 'reverted') {
        node.capabilities.unsupportedMethods.add(aggregation)
      }
      throw error
    }
  })
  // No part is executed any more once this settles.
  const results = await Promise.allSettled(parts)
  return results.flatMap((result) => {
    if (result.status === 'rejected') {
      throw result.reason
    }
    return result.value
  })
}

/** Records that a node does not execute aggregated calls. */
export function rejectAggregation(node: NodeConnection): NodeError {
  node.capabilities.unsupportedMethods.add(aggregation)
  return new NodeError('The node does not execute aggregated calls', {
    kind: 'malformed',
    retryable: false,
  })
}
