import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../store/Database.ts'

/** Longer than any statement of an answer takes on a store that is well. */
const STATEMENT_TIMEOUT_MS = 15_000

/**
 * Runs queries that all see the store as it is at one moment, so that a block written meanwhile is in none of them.
 * PostgreSQL ends a statement that takes too long, so that no request hangs; the embedded database knows no such bound.
 */
export async function readSnapshot<Result>(
  db: Kysely<Database>,
  read: (snapshot: Transaction<Database>) => Promise<Result>,
  timeoutMs = STATEMENT_TIMEOUT_MS,
): Promise<Result> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(snapshot)
      return await read(snapshot)
    })
}
