import { type Kysely, sql } from 'kysely'

/**
 * Adds the state of the process that indexes a chain, for the processes that serve it, and notifications of changes.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `create table indexers (
       chain_id bigint primary key,
       head_block bigint,
       head_time bigint,
       stopped_reason text
     )`,
    // A trigger notifies of every change, whichever statement causes it.
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
