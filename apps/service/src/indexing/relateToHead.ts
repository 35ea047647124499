import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { findAncestor } from './findAncestor.ts'
import { IndexingError } from './IndexingError.ts'
import type { Cursor } from './readCursor.ts'
import { readHashes } from './readHashes.ts'
import { outvoted, verifyChain } from './verifyChain.ts'

/** How the indexed blocks stand to a node's head. */
type Relation =
  /** The head is the indexed block. */
  | { readonly kind: 'level' }
  /** The head continues the indexed blocks. */
  | { readonly kind: 'ahead' }
  /** The node has not caught up: the head is one of the indexed blocks, or below all that could be undone. */
  | { readonly kind: 'behind' }
  /** Blocks above the ancestor were replaced. */
  | {
      readonly kind: 'replaced'
      readonly ancestor: { readonly number: number; readonly hash: string | undefined }
    }

/**
 * Compares the indexed blocks with a node's head.
 *
 * @throws {IndexingError} when blocks that count as final were replaced, or the whole chain was.
 * @throws {NodeError} when a node does not answer, or contradicts both the store and another node.
 */
export async function relateToHead(
  db: Kysely<Database>,
  node: ChainNode,
  chain: ChainConfig,
  cursor: Cursor,
  head: BlockHeader,
  signal?: AbortSignal,
): Promise<Relation> {
  const indexed = cursor.block
  if (!indexed) return head.number < chain.startBlock ? { kind: 'behind' } : { kind: 'ahead' }

  const floor = Math.min(indexed.number, Math.max(cursor.finalBlock, chain.startBlock))
  if (head.number < floor) {
    // Such a head says nothing; only another block in the floor's place does.
    const [stored] = await readHashes(db, chain.id, floor, floor)
    const theirs = await node.findHeader(floor, signal)
    if (!theirs || theirs.hash === stored?.hash || floor > cursor.finalBlock)
      return { kind: 'behind' }
  } else if (head.number < indexed.number) {
    const [stored] = await readHashes(db, chain.id, head.number, head.number)
    if (stored?.hash === head.hash) return { kind: 'behind' }
  } else {
    const theirs = await hashAt(node, indexed.number, head, signal)
    if (theirs === indexed.hash) return { kind: head.number === indexed.number ? 'level' : 'ahead' }
  }

  // A replaced chain looks like a deep reorg; this tells them apart.
  await verifyChain(db, node, chain, signal)
  const below = Math.min(head.number, indexed.number)
  const ancestor = await findAncestor(db, node, { chainId: chain.id, below, floor }, signal)
  if (ancestor) return { kind: 'replaced', ancestor }
  if (cursor.finalBlock < chain.startBlock)
    return { kind: 'replaced', ancestor: { number: chain.startBlock - 1, hash: undefined } }
  const [final] = await readHashes(db, chain.id, floor, floor)
  if (final && (await node.anyHas(final, signal)))
    throw outvoted(`has another block ${floor}, which is final`)
  throw new IndexingError(
    `Chain ${chain.id} (${chain.name}) replaced block ${floor}, which counted as final (finalityDepth ${chain.finalityDepth}), so that it cannot be undone. Delete the data folder or database, or choose another with --data; set a larger finalityDepth if this chain reorganises so deep`,
  )
}

/** The hash of the node's block of a number at or below its head. */
async function hashAt(
  node: ChainNode,
  number: number,
  head: BlockHeader,
  signal?: AbortSignal,
): Promise<string> {
  if (head.number === number) return head.hash
  if (head.number === number + 1) return head.parentHash
  const header = await node.findHeader(number, signal)
  if (header) return header.hash
  throw new NodeError(`The node has no block ${number} below its head`, { kind: 'mismatch' })
}
