import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { Call } from '../rpc/CallOutcome.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { NodeError } from '../rpc/NodeError.ts'

/** Of the nodes of a chain, what is needed to ask contracts. */
export type ContractSource = Pick<ChainNode, 'callMany'>

/**
 * Asks contracts, in few requests.
 *
 * @param block a block that has the contracts, so that no answer means no such function.
 * @returns for each call what the contract answers, hex: `0x` where it has no such function, or reverts; or the error of
 *   the node that failed, which may be for another call in the same request.
 */
export async function askContracts(
  node: ContractSource,
  calls: readonly Call[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(string | NodeError)[]> {
  const outcomes = await node.callMany(calls, block, { signal })
  return outcomes.map((outcome) => {
    if (outcome.kind === 'failed') return outcome.error
    return outcome.kind === 'answered' ? outcome.data : '0x'
  })
}
