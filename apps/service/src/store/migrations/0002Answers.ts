import { type Kysely, sql } from 'kysely'

/** Adds secrets that all processes share, and finds pools by their pair of tokens. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `create table secrets (
       name text primary key,
       value bytea not null
     )`,
    // A quote token such as the wrapped native asset is in many pools; those with another quote token are found by both.
    `create index pools_by_pair on pools (chain_id, token0, token1)`,
    `drop index pools_by_token0`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
