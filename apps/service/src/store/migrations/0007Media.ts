import { type Kysely, sql } from 'kysely'

/**
 * What documents of NFTs tell, and when to ask for them (again). The indexes hold only what somebody asked for or what
 * failed, so they cost the first indexing nothing; the one over all that wait is made when that is done.
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
