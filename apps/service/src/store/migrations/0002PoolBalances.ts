import { type Kysely, sql } from 'kysely'

/** Adds the states of pools of several tokens, which are read from their contracts. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [
    // In the order of the tokens of a pool, which the indexes of a pair refer to.
    'alter table pool_states add column balances numeric[], add column prices numeric[]',
    ...['pools', 'backfill_pools'].map(
      (table) =>
        `alter table ${table} add column index0 smallint not null default 1,
           add column index1 smallint not null default 2`,
    ),
  ]) {
    await sql.raw(statement).execute(db)
  }
}
