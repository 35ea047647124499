import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/NodeError.ts'

/** What nodes say when the contract ran and ended so; anything else they say of themselves. */
const contractFailures = /revert|invalid opcode|out of gas|stack/i
/** JSON-RPC's code for a call that the contract reverted. */
const reverted = 3

/**
 * Asks a contract.
 *
 * @param data selector and arguments, hex.
 * @param block a block that has the contract, so that no answer means no such function.
 * @returns what it answers, hex; `0x` where it has no such function, or reverts.
 * @throws {NodeError} when the node and not the contract failed.
 */
export async function askContract(
  node: Pick<ChainNode, 'callAt'>,
  contract: string,
  data: string,
  block: BlockRef,
  signal?: AbortSignal,
): Promise<string> {
  try {
    return await node.callAt(contract, data, block, signal)
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    if (error.code === reverted || contractFailures.test(error.message)) return '0x'
    throw error
  }
}
