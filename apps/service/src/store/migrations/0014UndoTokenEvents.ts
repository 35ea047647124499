import { type Kysely, sql } from 'kysely'

/** Adds which standards of events each unfinalized block was the first to have of a contract, to undo them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table undo_token_events (
      chain_id bigint not null,
      block_number bigint not null,
      address bytea not null,
      events int not null,
      primary key (chain_id, block_number, address)
    )`.execute(db)
}
