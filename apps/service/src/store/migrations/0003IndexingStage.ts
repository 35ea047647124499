import { type Kysely, sql } from 'kysely'

/** Adds the stage of a chain that is indexed in bulk. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table indexers add column stage text`.execute(db)
}
