import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'

/**
 * Lets the audit repeat what it did in the blocks above `ancestor`: comparisons in them do not count, and its next round
 * queues the amounts that were read in them, as these are newer than the latest block that it has seen.
 */
export async function undoAudit(
  db: Kysely<Database>,
  chainId: number,
  ancestor: number,
): Promise<void> {
  await sql`
    update audits set seen_block = ${ancestor}::bigint
    where chain_id = ${chainId}::bigint and seen_block > ${ancestor}::bigint`.execute(db)
  await sql`
    update tokens set compared_block = null
    where chain_id = ${chainId}::bigint and compared_block > ${ancestor}::bigint`.execute(db)
  // Both values name the columns of an index.
  await sql`
    update tokens set audited_block = ${ancestor}::bigint
    where chain_id = ${chainId}::bigint and standard = 20 and amounts_from = 'ledger'
      and is_notable in (true, false) and audited_block > ${ancestor}::bigint`.execute(db)
}
