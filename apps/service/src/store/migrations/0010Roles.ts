import { type Kysely, sql } from 'kysely'

/**
 * What the process that indexes a chain tells the processes that serve it: the head that it follows, why it stopped; and
 * at once that the store has changed.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `create table indexers (
       chain_id bigint primary key,
       head_block bigint,
       head_time bigint,
       stopped_reason text
     )`,
    // By a trigger, so that nobody who changes a chain can forget to tell.
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
