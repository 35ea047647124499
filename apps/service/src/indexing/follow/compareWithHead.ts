import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockHeader, BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import type { Database } from '../../store/Database.ts'
import type { ParentBlock } from '../fetch/fetchBlocks.ts'
import { IndexingError } from '../IndexingError.ts'
import { type Cursor, loadBlock, loadBlocks } from './Cursor.ts'
import { createOutvoted, verifyChain } from './verifyChain.ts'

/** Most reorgs are shallow: few blocks are compared per request. */
const blocksPerRequest = 16

/** How a node's head relates to the indexed blocks. */
export type Relation =
  /** The head is the indexed block. */
  | { readonly kind: 'equal' }
  /** The head extends the indexed blocks. */
  | { readonly kind: 'extend' }
  /** The node lags: the head is one of the indexed blocks, or below all that can be undone. */
  | { readonly kind: 'behind' }
  /** The blocks above the common ancestor were replaced. */
  | { readonly kind: 'reorg'; readonly ancestor: ParentBlock }

interface ComparedChain {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly node: ChainNode
}

/**
 * Compares the indexed blocks with a node's head.
 *
 * @throws {IndexingError} when final blocks, or the whole chain, were replaced.
 * @throws {NodeError} when a request fails, a node contradicts both the store and another node, or the first block to index does
 *   not exist yet.
 */
export async function compareWithHead(
  compared: ComparedChain,
  cursor: Cursor,
  head: BlockHeader,
  signal?: AbortSignal,
): Promise<Relation> {
  const { startBlock } = compared.chain
  const { block: indexed, finalizedBlock } = cursor
  if (indexed) {
    // The lowest possible common ancestor.
    const floor = Math.min(indexed.number, Math.max(finalizedBlock, startBlock))
    const blocks = { indexed, finalizedBlock, floor }
    return (
      (await findRelation(compared, blocks, head, signal)) ??
      (await findReorg(compared, blocks, head, signal))
    )
  }
  if (head.number < startBlock) {
    throw new NodeError(
      `The nodes are at block ${head.number}, below startBlock ${startBlock}: wait until they reach it, or correct startBlock`,
      { kind: 'missing-block' },
    )
  }
  return { kind: 'extend' }
}

interface IndexedBlocks extends Pick<Cursor, 'finalizedBlock'> {
  readonly indexed: BlockRef
  /** The lowest block that is compared. */
  readonly floor: number
}

/** @returns undefined if indexed blocks were replaced. */
async function findRelation(
  { db, node, chain }: ComparedChain,
  { indexed, finalizedBlock, floor }: IndexedBlocks,
  head: BlockHeader,
  signal?: AbortSignal,
): Promise<Relation | undefined> {
  if (head.number < floor) {
    // Such a head does not prove a reorg, unlike a different block at the floor.
    const stored = await loadBlock(db, chain.id, floor)
    const header = await node.getHeader(floor, signal)
    const isBehind = !header || header.hash === stored?.hash || floor > finalizedBlock
    return isBehind ? { kind: 'behind' } : undefined
  }
  if (head.number < indexed.number) {
    const stored = await loadBlock(db, chain.id, head.number)
    return stored?.hash === head.hash ? { kind: 'behind' } : undefined
  }
  const hash = await getHashBelow(node, indexed.number, head, signal)
  if (hash !== indexed.hash) {
    return undefined
  }
  return { kind: head.number === indexed.number ? 'equal' : 'extend' }
}

async function findReorg(
  { db, node, chain }: ComparedChain,
  { indexed, finalizedBlock, floor }: IndexedBlocks,
  head: BlockHeader,
  signal?: AbortSignal,
): Promise<Relation> {
  const { id: chainId, startBlock } = chain
  // Another chain under the same id looks like a deep reorg.
  const { undoBlock } = await verifyChain(db, node, chain, signal)
  const below = Math.min(head.number, indexed.number)
  const ancestor = await findCommonAncestor(db, node, { chainId, below, floor }, signal)
  if (ancestor) {
    return { kind: 'reorg', ancestor }
  }
  if (finalizedBlock < startBlock) {
    return { kind: 'reorg', ancestor: { number: startBlock - 1, hash: undefined } }
  }
  const final = await loadBlock(db, chainId, floor)
  if (final && (await node.someNodeHas(final, signal))) {
    throw createOutvoted(`has a different block ${floor}, which is final`)
  }
  const lowest = { chainId, below: floor, floor: Math.max(undoBlock, 0) }
  const undoable = await findCommonAncestor(db, node, lowest, signal)
  const command = undoable
    ? `rewind --chain ${chainId} --to ${undoable.number}`
    : `reset --chain ${chainId}`
  throw new IndexingError(
    `Chain ${chainId} (${chain.name}) replaced block ${floor}, which counted as final (finalityDepth ${chain.finalityDepth}). If the nodes are right, run: headwater chain ${command}; set finality to depth and a larger finalityDepth if this chain has reorgs this deep`,
  )
}

/** The hash of the node's block of a number at or below its head. */
async function getHashBelow(
  node: ChainNode,
  number: number,
  head: BlockHeader,
  signal?: AbortSignal,
): Promise<string> {
  if (head.number === number) {
    return head.hash
  }
  if (head.number === number + 1) {
    return head.parentHash
  }
  const header = await node.getHeader(number, signal)
  if (header) {
    return header.hash
  }
  throw new NodeError(`The node has no block ${number} below its head`, { kind: 'mismatch' })
}

/**
 * Finds the latest block that the store and the nodes share.
 *
 * @param below - the search starts under this block and goes down.
 * @param floor - the lowest block that is compared.
 * @returns undefined when even the floor differs.
 */
async function findCommonAncestor(
  db: Kysely<Database>,
  node: ChainNode,
  { chainId, below, floor }: { chainId: number; below: number; floor: number },
  signal?: AbortSignal,
): Promise<BlockRef | undefined> {
  for (let to = below - 1; to >= floor; to -= blocksPerRequest) {
    const from = Math.max(floor, to - blocksPerRequest + 1)
    const stored = await loadBlocks(db, chainId, from, to)
    const headers = await node.getHeaders(from, to, signal)
    const shared = stored.find(({ number, hash }) => headers[number - from]?.hash === hash)
    if (shared) {
      return shared
    }
  }
  return undefined
}
