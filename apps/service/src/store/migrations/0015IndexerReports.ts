import { type Kysely, sql } from 'kysely'

/** Adds when the process that indexes a chain last reported. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table indexers add column reported_at timestamptz`.execute(db)
}
