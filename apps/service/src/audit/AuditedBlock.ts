import type { Kysely } from 'kysely'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import { lockChainRow } from '../store/lockChainRow.ts'

/** The block of a round of the audit: the ledger and the contracts are compared at this block. */
export interface AuditedBlock extends BlockRef {
  readonly chainId: number
  /** The block above which changes can be undone, by a reorg or an operator. It may be far below the finalized block. */
  readonly undoBlock: number
}

/**
 * Reads the indexed block.
 *
 * @param isFirst - whether the chain need not be marked as synced yet, as for the first audit.
 * @returns undefined while the first indexing of the chain is not done.
 */
export async function loadAuditedBlock(
  db: Kysely<Database>,
  chainId: number,
  isFirst = false,
): Promise<AuditedBlock | undefined> {
  const row = await db
    .selectFrom('chains')
    .select(['indexed_block', 'indexed_hash', 'undo_block'])
    .where('chain_id', '=', chainId)
    .$if(!isFirst, (query) => query.where('synced_at', 'is not', null))
    .executeTakeFirst()
  if (!row || row.indexed_block === null || row.indexed_hash === null) {
    return undefined
  }
  const { indexed_block: number, indexed_hash, undo_block: undoBlock } = row
  return { chainId, number, hash: toHex(indexed_hash), undoBlock }
}

/**
 * Reads the ledger at the indexed block, on one snapshot.
 *
 * @returns undefined while the first indexing of the chain is not done.
 */
export async function readAuditedBlock<Result>(
  db: Kysely<Database>,
  { chainId, isFirst }: { readonly chainId: number; readonly isFirst?: boolean | undefined },
  read: (snapshot: Kysely<Database>, block: AuditedBlock) => Promise<Result>,
): Promise<Result | undefined> {
  const transaction = db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
  return await transaction.execute(async (snapshot) => {
    const block = await loadAuditedBlock(snapshot, chainId, isFirst)
    return block && (await read(snapshot, block))
  })
}

/**
 * Locks the chain's row as {@link lockChainRow} does.
 *
 * @returns whether the block still belongs to the chain. Results of a replaced block must be discarded.
 */
export async function lockBlock(
  transaction: Kysely<Database>,
  { chainId, number, hash }: AuditedBlock,
): Promise<boolean> {
  await lockChainRow(transaction, chainId)
  const block = await transaction
    .selectFrom('blocks')
    .select('number')
    .where('chain_id', '=', chainId)
    .where('number', '=', number)
    .where('hash', '=', fromHex(hash))
    .executeTakeFirst()
  return block !== undefined
}
