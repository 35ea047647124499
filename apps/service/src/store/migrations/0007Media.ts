import { type Kysely, sql } from 'kysely'

/**
 * Adds the metadata of NFTs, and when to read or retry it. The indexes contain only rows that were requested or failed, so
 * that they do not slow down the initial sync; the index of all pending rows is created after it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `alter table collectibles
       add column retry_at timestamptz,
       add column requested_at timestamptz,
       add column uri text,
       add column name text,
       add column description text,
       add column image text,
       add column attributes jsonb`,
    `create index collectibles_requested on collectibles (chain_id, contract, requested_at)
       where metadata = 'pending' and retry_at is null and requested_at is not null`,
    `create index collectibles_to_retry on collectibles (chain_id, contract, retry_at)
       where metadata = 'pending' and retry_at is not null`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
