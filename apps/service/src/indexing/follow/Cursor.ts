import { type Kysely, sql } from 'kysely'
import { deleteWalletRows } from '../../discovery/walletRows.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import type { Database } from '../../store/Database.ts'
import { toHex } from '../../store/hex.ts'
import type { StoredScope } from '../decode/StoredScope.ts'

/** How far a chain is indexed. */
export interface Cursor {
  readonly genesisHash: string
  /** The latest indexed block; undefined before the first. */
  readonly block: BlockRef | undefined
  /** The highest final block, -1 for none. */
  readonly finalizedBlock: number
  /** The lowest block to which an operator can rewind the chain, -1 for none. */
  readonly undoBlock: number
  /** Whether the initial sync is complete. */
  readonly isSynced: boolean
  /** Which rows are indexed. */
  readonly scope: StoredScope
}

/** @returns undefined when the store does not know the chain. */
export async function loadCursor(
  db: Kysely<Database>,
  chainId: number,
): Promise<Cursor | undefined> {
  const row = await db
    .selectFrom('chains')
    .selectAll()
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
  return (
    row && {
      genesisHash: toHex(row.genesis_hash),
      block:
        row.indexed_block === null || row.indexed_hash === null
          ? undefined
          : { number: row.indexed_block, hash: toHex(row.indexed_hash) },
      finalizedBlock: row.final_block,
      undoBlock: row.undo_block,
      isSynced: row.synced_at !== null,
      scope: JSON.parse(row.scope) as StoredScope,
    }
  )
}

/**
 * Marks the initial sync of a chain as complete. The index then replaces what was found for wallets, and takes over the
 * documents of NFTs that were listed.
 */
export async function markSynced(db: Kysely<Database>, chainId: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('chains')
      .set({ synced_at: sql<Date>`coalesce(synced_at, now())` })
      .where('chain_id', '=', chainId)
      .execute()
    await deleteWalletRows(transaction, chainId)
    await adoptDocuments(transaction, chainId)
  })
}

async function adoptDocuments(db: Kysely<Database>, chainId: number): Promise<void> {
  const id = sql`${chainId}::bigint`
  await sql`
    update collectibles set metadata = 'read', uri = document.uri, name = document.name,
      description = document.description, image = document.image, attributes = document.attributes
    from collectible_documents document
    where collectibles.chain_id = ${id} and document.chain_id = ${id} and metadata = 'pending'
      and collectibles.contract = document.contract and collectibles.token_id = document.token_id`.execute(
    db,
  )
  await db.deleteFrom('collectible_documents').where('chain_id', '=', chainId).execute()
}

/** Loads an indexed block. */
export async function loadBlock(
  db: Kysely<Database>,
  chainId: number,
  number: number,
): Promise<BlockRef | undefined> {
  const [block] = await loadBlocks(db, chainId, number, number)
  return block
}

/** Loads the indexed blocks of a range, both ends included, newest first. */
export async function loadBlocks(
  db: Kysely<Database>,
  chainId: number,
  from: number,
  to: number,
): Promise<BlockRef[]> {
  const rows = await db
    .selectFrom('blocks')
    .select(['number', 'hash'])
    .where('chain_id', '=', chainId)
    .where('number', '>=', from)
    .where('number', '<=', to)
    .orderBy('number', 'desc')
    .execute()
  return rows.map(({ number, hash }) => ({ number, hash: toHex(hash) }))
}
