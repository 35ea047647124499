import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/Database.ts'

/**
 * Deletes the holders and prices of requested tokens of a chain if its index is complete. Responses do not derive from them
 * any more once the index has what clients have seen. Failures are logged.
 */
export async function deleteReplaced(
  db: Kysely<Database>,
  chainId: number,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  try {
    for (const table of ['holder_scans', 'recorded_prices'] as const) {
      await sql`
        delete from ${sql.table(table)} where chain_id = ${chainId}::bigint and exists (
          select from chains where chain_id = ${chainId}::bigint and synced_at is not null
        )`.execute(db)
    }
  } catch (error) {
    logger.warn({ chain: chainId, err: error }, 'failed to delete what the index replaced')
  }
}
