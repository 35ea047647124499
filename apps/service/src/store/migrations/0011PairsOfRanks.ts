import { type Kysely, sql } from 'kysely'

/** Adds the pair of a pool to its ranks, so that the pools of a token are found by one lookup. */
export async function up(db: Kysely<never>): Promise<void> {
  // Null for pools of more than two tokens, and in rows that were written before.
  await sql`
    alter table pool_ranks
      add column index smallint, add column other_token bytea,
      add column kind text, add column first_block bigint`.execute(db)
}
