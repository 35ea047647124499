import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { RpcRequest, RpcResponse } from '../transport/parseResponses.ts'
import { type BlockRef, parseHeader } from './BlockHeader.ts'
import { formatQuantity } from './parseHex.ts'

interface CallAtBlock extends Pick<RpcRequest, 'maxBytes'> {
  /** The parameter before the block: an address, or a call. */
  readonly subject: unknown
}

/** JSON-RPC error code for invalid parameters. */
export const invalidParameters = -32602

/**
 * Sends many requests of one method to a node, at exactly this block (EIP-1898), or by its number where a node does not
 * support that.
 *
 * @throws {NodeError} when a whole batch fails, or the node has a different block of that number.
 */
export async function batchAtBlock(
  node: NodeConnection,
  method: string,
  calls: readonly CallAtBlock[],
  block: BlockRef,
  deadline?: Deadline,
): Promise<RpcResponse[]> {
  const requestAt = async (blockParameter: unknown) =>
    await node.requestMany(
      calls.map(({ subject, maxBytes }) => ({
        method,
        params: [subject, blockParameter],
        maxBytes,
      })),
      deadline,
    )
  const responses = await requestAt({ blockHash: block.hash })
  if (!responses.some(({ error }) => error?.code === invalidParameters)) {
    return responses
  }
  const number = formatQuantity(block.number)
  const byNumber = await requestAt(number)
  // Verified after the calls, as a reorg may have replaced the block meanwhile.
  const header = await node.request('eth_getBlockByNumber', [number, false], deadline)
  if (parseHeader(header, block.number)?.hash === block.hash) {
    return byNumber
  }
  throw new NodeError(`The node returned another hash for block ${block.number}`, {
    kind: 'mismatch',
  })
}
