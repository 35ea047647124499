import { type Kysely, sql } from 'kysely'

/** Adds the block by which a chain that was searched without an index is recognized. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table searched_chains (
      chain_id bigint primary key,
      block_number bigint not null,
      block_time bigint not null,
      block_hash bytea not null,
      search_id uuid not null default gen_random_uuid()
    )`.execute(db)
}
