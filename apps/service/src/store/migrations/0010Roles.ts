import { type Kysely, sql } from 'kysely'

/**
 * Adds `indexers`, the status of the process that indexes each chain, and notifies `headwater_chains` when `chains` or a
 * stop reason changes.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `create table indexers (
       chain_id bigint primary key,
       head_block bigint,
       head_time bigint,
       stopped_reason text,
       failure text
     )`,
    // Triggers, so that manual SQL notifies too. Updates of the head do not notify, as they are frequent.
    `create function notify_chains() returns trigger language plpgsql as $$
     begin
       notify headwater_chains;
       return null;
     end
     $$`,
    `create trigger notify_chains after insert or update or delete or truncate on chains
       for each statement execute function notify_chains()`,
    `create trigger notify_indexers after insert or update of stopped_reason or delete or truncate on indexers
       for each statement execute function notify_chains()`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
