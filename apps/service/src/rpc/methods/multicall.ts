import type { CallOptions, Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import { isMissingState } from '../transport/nodeMessages.ts'
import type { NodePool, Task } from '../transport/NodePool.ts'
import type { RpcResponse } from '../transport/parseResponses.ts'
import { aggregateCalls, isNativeBalanceCall } from './aggregateCalls.ts'
import { batchAtBlock } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import type { Call, CallResult } from './Call.ts'
import { parseBytes } from './parseHex.ts'
import { runAggregated } from './runAggregated.ts'

export interface MulticallOptions extends CallOptions {
  /**
   * The size of a plausible result in bytes, to aggregate the calls in few `eth_call`s. Calls that fail there are executed
   * alone. Contracts then have another caller than the zero address.
   */
  readonly aggregatedBytes?: number
  /**
   * How far the block is below the head, for a block whose state nodes may have deleted. Nodes that are known not to have
   * it are not called.
   */
  readonly depth?: number
}

/**
 * Executes calls at one block. Calls that fail on one node run on the next.
 *
 * @returns a result for each call, in their order.
 */
export async function multicall(
  nodes: NodePool,
  calls: readonly Call[],
  block: BlockRef,
  { aggregatedBytes, depth, timeoutMs = Infinity, ...options }: MulticallOptions = {},
): Promise<CallResult[]> {
  const endsAt = performance.now() + timeoutMs
  const pool = depth === undefined ? nodes : selectByState(nodes, depth)
  const aggregate = (node: NodeConnection, part: readonly Call[], deadline: Deadline) =>
    aggregateCalls(node, part, aggregatedBytes ?? 0, block, deadline)
  const results: (CallResult | undefined)[] =
    aggregatedBytes === undefined || calls.length < 2
      ? calls.map(() => undefined)
      : [...(await runAggregated(pool, calls, aggregate, { ...options, timeoutMs }))]
  for (const [index, call] of calls.entries()) {
    if (isNativeBalanceCall(call)) {
      // Alone, a contract wallet would return anything.
      results[index] ??= { status: 'reverted' }
    }
  }
  const findPending = () =>
    [...results.keys()].filter((index) => (results[index]?.status ?? 'failed') === 'failed')
  if (findPending().length === 0) {
    return results as CallResult[]
  }
  try {
    const remainingMs = endsAt - performance.now()
    if (remainingMs <= 0) {
      throw new NodeError('eth_call: no response before the deadline', { kind: 'timeout' })
    }
    const executePending: Task<void> = async (node, deadline) => {
      const pending = findPending()
      const requests = pending
        .flatMap((index) => calls[index] ?? [])
        .map(({ to, data, maxBytes }) => ({ subject: { to, data }, maxBytes }))
      const responses = await batchAtBlock(node, 'eth_call', requests, block, deadline)
      let failure: NodeError | undefined
      for (const [position, index] of pending.entries()) {
        const result = toCallResult(responses[position], calls[index]?.maxBytes)
        results[index] = result
        if (result.status === 'failed') {
          failure = result.error
        }
      }
      if (failure) {
        throw failure
      }
    }
    await pool.run(executePending, { ...options, timeoutMs: remainingMs })
  } catch (error) {
    if (!(error instanceof NodeError)) {
      throw error
    }
    for (const index of findPending()) {
      results[index] ??= { status: 'failed', error }
    }
  }
  return results as CallResult[]
}

/** The nodes that may have the state at a depth below the head. Their responses show whether they do. */
function selectByState(pool: NodePool, depth: number): Pick<NodePool, 'run'> {
  return {
    run: (task, options) =>
      pool.run(async (node, deadline) => {
        const { pastState } = node.capabilities
        const createError = () =>
          new NodeError(`The node has no state ${depth} blocks below the head`, {
            kind: 'rejected',
            retryable: false,
          })
        if (!pastState.mayHave(depth)) {
          throw createError()
        }
        try {
          const result = await task(node, deadline)
          pastState.recordFound(depth)
          return result
        } catch (error) {
          if (error instanceof NodeError && isMissingState(error.message)) {
            pastState.recordMissing(depth)
            throw createError()
          }
          throw error
        }
      }, options),
  }
}

function toCallResult(response: RpcResponse | undefined, maxBytes: number = Infinity): CallResult {
  try {
    if (!response?.error) {
      const data = parseBytes(response?.result)
      // The limit of a request is the sum of its calls.
      return data.length > maxBytes
        ? { status: 'reverted', isOversized: true }
        : { status: 'success', data }
    }
    const { error } = response
    if (error.kind === 'too-large') {
      return { status: 'reverted', isOversized: true }
    }
    return error.kind === 'reverted' ? { status: 'reverted' } : { status: 'failed', error }
  } catch (error) {
    if (error instanceof NodeError) {
      return { status: 'failed', error }
    }
    throw error
  }
}
