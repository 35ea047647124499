import { type Kysely, sql } from 'kysely'

/**
 * Counts failed reads of metadata, so that tokens without one are read first; and counts changes of metadata per chain,
 * which do not depend on blocks.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `alter table tokens add column attempts int not null default 0`,
    `alter table tokens add column failures int not null default 0`,
    `alter table chains add column metadata_version bigint not null default 0`,
    `drop index tokens_pending`,
    `create index tokens_pending on tokens (chain_id, attempts, first_block) where metadata = 'pending'`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
