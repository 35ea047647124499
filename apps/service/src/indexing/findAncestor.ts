import type { Kysely } from 'kysely'
import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Database } from '../store/Database.ts'
import { readHashes } from './readHashes.ts'

/** Reorgs are mostly shallow: few blocks are asked at a time. */
const chunk = 16

/**
 * Finds the newest block that the store and the nodes share.
 *
 * @param below search under this block, downwards.
 * @param floor the lowest block to look at.
 * @returns undefined when even the floor differs.
 * @throws {NodeError} when a node does not answer.
 */
export async function findAncestor(
  db: Kysely<Database>,
  node: ChainNode,
  { chainId, below, floor }: { chainId: number; below: number; floor: number },
  signal?: AbortSignal,
): Promise<BlockRef | undefined> {
  for (let to = below - 1; to >= floor; to -= chunk) {
    const from = Math.max(floor, to - chunk + 1)
    const stored = await readHashes(db, chainId, from, to)
    const headers = await node.getHeaders(from, to, signal)
    const shared = stored.find(({ number, hash }) => headers[number - from]?.hash === hash)
    if (shared) return shared
  }
  return undefined
}
