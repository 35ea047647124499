import type { CallOptions } from '../transport/Deadline.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { NodePool } from '../transport/NodePool.ts'
import type { RpcResponse } from '../transport/parseResponses.ts'
import { batchAtBlock } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import type { Call, CallResult } from './Call.ts'
import { parseBytes } from './parseHex.ts'

/** JSON-RPC error code for a reverted call. */
const reverted = 3
/** Messages of nodes for a call that the contract failed; other messages concern the node. */
const revertMessage =
  /revert|invalid opcode|bad instruction|opcode not found|out of ?gas|stack (?:under|over)flow|stack limit|bad jump|invalid jump|vm execution error/i

/**
 * Executes calls at one block. Calls that fail on one node run on the next.
 *
 * @returns a result for each call, in their order.
 */
export async function multicall(
  pool: NodePool,
  calls: readonly Call[],
  block: BlockRef,
  options?: CallOptions,
): Promise<CallResult[]> {
  const results: (CallResult | undefined)[] = calls.map(() => undefined)
  const findPending = () =>
    [...results.keys()]
      .filter((index) => results[index]?.status !== 'success')
      .filter((index) => results[index]?.status !== 'reverted')
  try {
    await pool.run(async (node, deadline) => {
      const pending = findPending()
      const requests = pending
        .flatMap((index) => calls[index] ?? [])
        .map(({ maxBytes, ...subject }) => ({ subject, maxBytes }))
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
    }, options)
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
    return isRevert(error) ? { status: 'reverted' } : { status: 'failed', error }
  } catch (error) {
    if (error instanceof NodeError) {
      return { status: 'failed', error }
    }
    throw error
  }
}

/** Whether the contract failed, and not the node. */
function isRevert({ code, message, kind }: NodeError): boolean {
  return kind === 'rejected' && (code === reverted || revertMessage.test(message))
}
