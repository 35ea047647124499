import { type Kysely, sql } from 'kysely'

/** Adds by how much a commit changed balances, so that cached rows of wallets are updated instead of read again. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table changes add column deltas text`.execute(db)
}
