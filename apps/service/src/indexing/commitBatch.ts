import { type Kysely, sql } from 'kysely'
import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import type { Batch } from './Batch.ts'
import { undoBlocks } from './undoBlocks.ts'
import { undoTables } from './undoTables.ts'
import { writeBatch } from './writeBatch.ts'

/** More than an answer may take: a slow disk is no reason to do all of it again. */
const statementTimeout = '10min'

/** Where a batch goes. */
interface Commit {
  readonly chainId: number
  /** The cursor from which the batch was made; undefined for the first batch. */
  readonly from: BlockRef | undefined
  /** The last block that stays, when blocks above it were replaced; the batch continues after it. */
  readonly ancestor?: number
}

/**
 * Commits a batch in one transaction: undo of replaced blocks, rows, undo records and cursor, or nothing of them.
 *
 * @throws when the cursor is not where the batch continues: another process indexes this chain.
 */
export async function commitBatch(
  db: Kysely<Database>,
  batch: Batch,
  { chainId, from, ancestor }: Commit,
): Promise<void> {
  const { finalBlock } = batch
  const last = batch.blocks.at(-1)
  if (!last) return
  await db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = ${sql.lit(statementTimeout)}`.execute(transaction)
    // First, because it takes the row: of two indexers of a chain one waits here, and then finds the cursor moved.
    const { numUpdatedRows } = await transaction
      .updateTable('chains')
      .set({
        indexed_block: last.number,
        indexed_hash: fromHex(last.hash),
        indexed_time: last.time,
        final_block: sql<number>`greatest(final_block, ${finalBlock}::bigint)`,
      })
      .where('chain_id', '=', chainId)
      .where(sql<boolean>`indexed_hash is not distinct from ${from ? fromHex(from.hash) : null}`)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n)
      throw new Error(`The cursor of chain ${chainId} moved: another process is indexing it`)
    if (ancestor !== undefined) await undoBlocks(transaction, chainId, ancestor)
    await writeBatch(transaction, chainId, batch, from === undefined)
    for (const { images } of undoTables)
      await transaction
        .deleteFrom(images)
        .where('chain_id', '=', chainId)
        .where('block_number', '<=', finalBlock)
        .execute()
  })
}
