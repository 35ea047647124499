import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../store/Database.ts'

/** Runs queries that all see the store as it is at one moment, so that a block written meanwhile is in none of them. */
export async function readSnapshot<Result>(
  db: Kysely<Database>,
  read: (snapshot: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(read)
}
