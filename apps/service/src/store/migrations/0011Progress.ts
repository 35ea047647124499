import { type Kysely, sql } from 'kysely'

/** How fast a chain is indexed and how long that takes yet, for the processes that tell of it. */
export async function up(db: Kysely<never>): Promise<void> {
  const statement = `alter table indexers
    add column blocks_per_second double precision,
    add column events_per_second double precision,
    add column seconds_left bigint`
  await sql.raw(statement).execute(db)
}
