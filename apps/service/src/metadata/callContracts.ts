import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Call } from '../rpc/methods/Call.ts'
import type { NodeError } from '../rpc/transport/NodeError.ts'

/** The part of a chain's node that executes calls. */
export type ContractSource = Pick<ChainNode, 'multicall'>

/**
 * Calls contracts, in few requests.
 *
 * @param block - a block that has the contracts, so that an empty result means that a function does not exist.
 * @returns for each call its result as hex, `0x` where the function does not exist or reverts; or the error of the node,
 *   which may be due to another call of the same request.
 */
export async function callContracts(
  node: ContractSource,
  calls: readonly Call[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(string | NodeError)[]> {
  const results = await node.multicall(calls, block, { signal })
  return results.map((result) => {
    if (result.status === 'failed') {
      return result.error
    }
    return result.status === 'success' ? result.data : '0x'
  })
}
