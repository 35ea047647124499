import { type Kysely, sql } from 'kysely'

/** What the answering side adds: secrets that all processes share, and pools found by their pair. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `create table secrets (
       name text primary key,
       value bytea not null
     )`,
    // A hub such as the wrapped native asset is in very many pools: its pools with another hub are found by both sides.
    `create index pools_by_pair on pools (chain_id, token0, token1)`,
    `drop index pools_by_token0`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
