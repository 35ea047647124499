import { type Kysely, sql } from 'kysely'
import { CommandError } from '../../commands/CommandError.ts'
import { configureWrites } from '../../store/configureWrites.ts'
import type { Database } from '../../store/Database.ts'
import { discardBackfill, loadBackfill } from '../backfill/backfillRows.ts'
import { undoBlocks } from './undoBlocks.ts'

/**
 * Undoes the blocks of a chain above a block, also final ones, in one transaction. Indexing continues after that block.
 *
 * @returns the block that was the indexed one before.
 * @throws {CommandError} when the block is not indexed, or the blocks above cannot be undone.
 */
export async function rewindChain(
  db: Kysely<Database>,
  chainId: number,
  to: number,
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    await configureWrites(transaction, '0')
    const chain = await transaction
      .selectFrom('chains')
      .select(['indexed_block', 'undo_block'])
      .where('chain_id', '=', chainId)
      .forUpdate()
      .executeTakeFirst()
    const indexed = chain?.indexed_block ?? undefined
    if (!chain || indexed === undefined) {
      throw new CommandError(`Chain ${chainId} is not indexed`)
    }
    if (to >= indexed) {
      throw new CommandError(`Chain ${chainId} is indexed up to block ${indexed} only`)
    }
    const block = await transaction
      .selectFrom('blocks')
      .select(['hash', 'time'])
      .where('chain_id', '=', chainId)
      .where('number', '=', to)
      .executeTakeFirst()
    if (to < chain.undo_block || !block) {
      throw new CommandError(
        `Chain ${chainId} can be rewound to block ${chain.undo_block} at the lowest; use chain reset to index it again`,
      )
    }
    await undoBlocks(transaction, chainId, to)
    const backfill = await loadBackfill(transaction, chainId)
    if (backfill && backfill.block > to) {
      await discardBackfill(transaction, chainId)
    }
    await transaction
      .updateTable('chains')
      .set(({ eb }) => ({
        indexed_block: to,
        indexed_hash: block.hash,
        indexed_time: block.time,
        final_block: sql<number>`least(final_block, ${to}::bigint)`,
        metadata_version: eb('metadata_version', '+', 1),
      }))
      .where('chain_id', '=', chainId)
      .execute()
    return indexed
  })
}
