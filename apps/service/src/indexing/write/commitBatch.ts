import { type Kysely, sql } from 'kysely'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { configureWrites } from '../../store/configureWrites.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { completeBackfill } from '../backfill/backfillRows.ts'
import type { Batch } from '../fold/BatchBuilder.ts'
import { undoBlocks } from '../undo/undoBlocks.ts'
import { undoTables } from '../undo/undoTables.ts'
import { recordBatch } from './recordBatch.ts'
import { writeBatch } from './writeBatch.ts'

/** Longer than for an API request, so that a slow disk does not cause a large commit to be repeated. */
const statementTimeout = '10min'

interface CommitOptions {
  readonly chainId: number
  /** The cursor that the batch was built from; undefined for the first batch. */
  readonly from: BlockRef | undefined
  /** The highest block that counts as final from then on; default: the undo block of the batch. */
  readonly finalizedBlock?: number
  /** The images of the blocks above are kept, with which an operator can undo these; default: `finalizedBlock`. */
  readonly undoBlock?: number
  /** In a reorg, the common ancestor: the blocks above are undone, and the batch extends it. */
  readonly ancestor?: number | undefined
  /** Adds the pools and sales of a backfill up to the ancestor; the batch has those of its scope as well. */
  readonly completesBackfill?: boolean
}

/**
 * Commits a batch in one transaction: the undo of replaced blocks, rows, images and the cursor.
 *
 * @throws {Error} when the cursor changed meanwhile, because another process indexes the chain.
 */
export async function commitBatch(
  db: Kysely<Database>,
  batch: Batch,
  options: CommitOptions,
): Promise<void> {
  const { chainId, from, ancestor, completesBackfill = false } = options
  const { finalizedBlock = batch.undoBlock } = options
  const first = batch.blocks[0]
  const last = batch.blocks.at(-1)
  if (!first || !last) {
    return
  }
  const undoBlock = Math.max(
    options.undoBlock ?? finalizedBlock,
    // These blocks of the batch have no images.
    first.number <= batch.undoBlock ? Math.min(batch.undoBlock, last.number) : -1,
    // A backfill stores no images.
    completesBackfill ? (ancestor ?? -1) : -1,
  )
  await db.transaction().execute(async (transaction) => {
    await configureWrites(transaction, statementTimeout)
    // First, as it locks the row: a concurrent indexer of the chain waits here, and then finds that the cursor changed.
    const chain = await transaction
      .updateTable('chains')
      .set({
        indexed_block: last.number,
        indexed_hash: fromHex(last.hash),
        indexed_time: last.time,
        final_block: sql<number>`greatest(final_block, ${finalizedBlock}::bigint)`,
        undo_block: sql<number>`greatest(undo_block, ${undoBlock}::bigint)`,
      })
      .where('chain_id', '=', chainId)
      .where(sql<boolean>`indexed_hash is not distinct from ${from ? fromHex(from.hash) : null}`)
      .returning('synced_at')
      .executeTakeFirst()
    if (!chain) {
      throw new Error(`The cursor of chain ${chainId} changed: another process is indexing it`)
    }
    if (ancestor !== undefined) {
      await undoBlocks(transaction, chainId, ancestor)
    }
    if (completesBackfill) {
      await completeBackfill(transaction, chainId)
    }
    await writeBatch(transaction, chainId, batch)
    const undoData = [...undoTables.map(({ images }) => images), 'undo_token_events']
    const deleted = undoData.map((table) => {
      return sql`${sql.ref(`deleted_${table}`)} as (
        delete from ${sql.table(table)} where chain_id = ${chainId}::bigint and block_number <= ${undoBlock}::bigint
      )`
    })
    await sql`with ${sql.join(deleted)} select`.execute(transaction)
    // No response contains the chain during the initial sync.
    if (chain.synced_at) {
      await recordBatch(transaction, chainId, batch, { ancestor, completesBackfill })
    }
  })
}
