import type { ChainConfig } from '../config/Config.ts'
import { formatReason } from '../formatReason.ts'
import { createFilter } from '../indexing/fetch/fetchBlocks.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import type { NodeError } from '../rpc/transport/NodeError.ts'
import { createSource } from '../sources/createSource.ts'
import { type CheckResult, createResults } from './CheckResult.ts'

const sampledBlocks = 10

/** Checks that the source of final blocks has the first ones to index, and that the nodes have the same. */
export async function checkSource(
  chain: ChainConfig,
  rpcUrls: ChainConfig['rpcUrls'],
): Promise<CheckResult[]> {
  let failure: NodeError | undefined
  const source = createSource(chain, new ChainNode(rpcUrls), (error) => (failure = error))
  if (!source) {
    return []
  }
  const { ok, warning, error } = createResults(`chain ${chain.id}, source`)
  const range = { from: chain.startBlock, to: chain.startBlock + sampledBlocks - 1 }
  try {
    const filter = createFilter(chain)
    const { blocks } = await source.fetch(range, filter, new AbortController().signal)
    return [
      blocks.length === 0
        ? warning(
            `${failure?.message ?? `lacks block ${range.from}, the first to index`}: the nodes are requested instead`,
          )
        : ok(`has blocks from ${range.from} on, which are those of the nodes`),
    ]
  } catch (reason) {
    return [error(formatReason(reason))]
  } finally {
    await source.close()
  }
}
