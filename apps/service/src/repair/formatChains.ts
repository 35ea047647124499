import type { Kysely } from 'kysely'
import { unconfirmedMs } from '../store/ChainStatus.ts'
import type { Database } from '../store/Database.ts'
import { createNotInStore } from './ChainCommand.ts'

/**
 * Describes the state of one chain, or of all in the store, a paragraph for each.
 *
 * @throws {CommandError} when the chain is not in the store.
 */
export async function formatChains(db: Kysely<Database>, chainId?: number): Promise<string> {
  const rows = await db
    .selectFrom('chains')
    .leftJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .leftJoin('backfills', 'backfills.chain_id', 'chains.chain_id')
    .select(['chains.chain_id', 'indexed_block', 'final_block', 'undo_block', 'synced_at'])
    .select(['head_block', 'hold', 'stopped_reason', 'failure', 'stage'])
    .select(['backfills.block_number as backfill_block', 'backfills.seconds_left'])
    .select(unconfirmedMs.as('unconfirmed_ms'))
    .$if(chainId !== undefined, (query) => query.where('chains.chain_id', '=', Number(chainId)))
    .orderBy('chains.chain_id')
    .execute()
  if (chainId !== undefined && rows.length === 0) {
    throw createNotInStore(chainId)
  }
  const paragraphs = rows.map((row) => {
    const { hold, stopped_reason, failure, unconfirmed_ms, indexed_block } = row
    const state =
      hold === 'detached'
        ? 'detached'
        : hold !== null
          ? `held by chain ${hold}, which runs or was interrupted`
          : stopped_reason !== null
            ? 'stopped'
            : row.synced_at
              ? 'synced'
              : 'initial indexing'
    const seconds = unconfirmed_ms === null ? undefined : Math.round(unconfirmed_ms / 1000)
    return [
      `chain ${row.chain_id}: ${state}`,
      `  indexed block ${indexed_block ?? 'none'}, head ${row.head_block ?? 'unknown'}, ` +
        `final block ${Math.max(row.final_block, 0)}`,
      row.stage !== null && `  ${row.stage}`,
      seconds !== undefined && `  head confirmed ${seconds} s ago`,
      indexed_block !== null &&
        `  can be rewound to block ${Math.max(row.undo_block, 0)} and above`,
      row.backfill_block !== null &&
        `  adding pools and sales of new contracts: block ${Math.max(row.backfill_block, 0)} of ` +
          `${Math.max(row.final_block, 0)}` +
          (row.seconds_left === null ? '' : `, ${row.seconds_left} s left`),
      (stopped_reason ?? failure) !== null && `  ${stopped_reason ?? failure}`,
    ]
      .filter(Boolean)
      .join('\n')
  })
  return paragraphs.join('\n') || 'The store has no chains'
}
