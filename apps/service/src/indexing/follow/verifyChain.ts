import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { createPartitions } from '../../store/partitions.ts'
import { isSameScope, toStoredScope } from '../decode/StoredScope.ts'
import { IndexingError } from '../IndexingError.ts'
import { type Cursor, loadCursor } from './Cursor.ts'
import { describeLedgerChange } from './describeLedgerChange.ts'

/**
 * Verifies that nodes, store and configuration belong to the same chain, and adds a new one to the store.
 *
 * @returns the position to continue from.
 * @throws {IndexingError} when they do not; the message contains the remedy.
 * @throws {NodeError} when a request fails, or a node contradicts both the store and another node.
 */
export async function verifyChain(
  db: Kysely<Database>,
  node: ChainNode,
  chain: ChainConfig,
  signal?: AbortSignal,
): Promise<Cursor> {
  node.verifyChainIds()
  const genesis = await node.getHeader(0, signal).catch((error: unknown) => {
    // Only if no node serves the chain, and none is unreachable.
    if (error instanceof NodeError && error.kind === 'other-chain') {
      throw new IndexingError(`Chain ${chain.id} (${chain.name}): ${error.message}`)
    }
    throw error
  })
  if (!genesis) {
    throw new NodeError('The node has no block 0', { kind: 'mismatch' })
  }
  const { ledger } = toStoredScope(chain)
  const scope = JSON.stringify(toStoredScope(chain))
  await createPartitions(db, chain.id)
  await db
    .insertInto('chains')
    .values({ chain_id: chain.id, genesis_hash: fromHex(genesis.hash), scope })
    // A chain that was reset takes the current settings.
    .onConflict((conflict) =>
      conflict
        .column('chain_id')
        .doUpdateSet({ genesis_hash: fromHex(genesis.hash), scope })
        .where('chains.indexed_hash', 'is', null),
    )
    .execute()
  const cursor = await loadCursor(db, chain.id)
  if (!cursor) {
    throw new Error(`The row of chain ${chain.id} was deleted`)
  }
  if (cursor.genesisHash !== genesis.hash) {
    if (await node.someNodeHas({ number: 0, hash: cursor.genesisHash }, signal)) {
      throw createOutvoted(`has genesis ${genesis.hash}`)
    }
    throw new IndexingError(
      `Chain ${chain.id} (${chain.name}) was replaced by another: the store was created from genesis ${cursor.genesisHash}, the node has ${genesis.hash}. Correct its rpcUrls, or run: headwater chain reset --chain ${chain.id}`,
    )
  }
  // Pools and sales are added and removed while the chain is indexed.
  if (!isSameScope(cursor.scope.ledger, ledger)) {
    throw new IndexingError(
      `The store of chain ${chain.id} (${chain.name}) was created with other settings for what is indexed, and lacks rows; an update may have changed the defaults. To keep the store, add the chain to the configuration file ${describeLedgerChange(cursor.scope.ledger, ledger)}. Or index the chain again: headwater chain reset --chain ${chain.id}`,
    )
  }
  return cursor
}

/** The error of a node that other nodes and the store contradict. It cools down, and the request is retried. */
export function createOutvoted(claim: string): NodeError {
  return new NodeError(`A node ${claim}, unlike the indexed chain and other nodes`, {
    kind: 'mismatch',
  })
}
