import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Call } from '../rpc/methods/Call.ts'
import type { NodeError } from '../rpc/transport/NodeError.ts'

/** Of the nodes of a chain, what is needed to ask contracts. */
export type ContractSource = Pick<ChainNode, 'multicall'>

/**
 * Asks contracts, in few requests.
 *
 * @param block - a block that has the contracts, so that no answer means no such function.
 * @returns for each call what the contract answers, hex: `0x` where it has no such function, or reverts; or the error of
 *   the node that failed, which may be for another call in the same request.
 */
export async function callContracts(
  node: ContractSource,
  calls: readonly Call[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(string | NodeError)[]> {
  const outcomes = await node.multicall(calls, block, { signal })
  return outcomes.map((outcome) => {
    if (outcome.kind === 'failed') {
      return outcome.error
    }
    return outcome.kind === 'returned' ? outcome.data : '0x'
  })
}
