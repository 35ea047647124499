import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../store/Database.ts'
import { isEmbedded } from '../store/isEmbedded.ts'

/** Longer than any statement of a handler takes on a healthy store. */
const statementTimeoutMs = 15_000

/**
 * Runs queries on one snapshot of the store, so that none of them sees a block that is written meanwhile.
 *
 * @param timeoutMs - PostgreSQL cancels a longer statement. The embedded database has no such timeout.
 */
export async function readSnapshot<Result>(
  db: Kysely<Database>,
  read: (snapshot: Transaction<Database>) => Promise<Result>,
  timeoutMs = statementTimeoutMs,
): Promise<Result> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      if (!isEmbedded(db)) {
        await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(snapshot)
      }
      return await read(snapshot)
    })
}
