import { type Kysely, sql } from 'kysely'

/**
 * Adds when the head of a chain was last confirmed, why a chain must not be indexed, and the block down to which blocks can
 * be undone. Indexed chains count as confirmed until their indexer runs.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `alter table indexers add column confirmed_at timestamptz, add column hold text`,
    `update indexers set confirmed_at = now()`,
    `alter table chains add column undo_block bigint not null default -1`,
    `update chains set undo_block = final_block`,
    `drop trigger notify_indexers on indexers`,
    `create trigger notify_indexers
       after insert or update of stopped_reason, hold or delete or truncate on indexers
       for each statement execute function notify_chains()`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
