import { type Kysely, sql } from 'kysely'

/** Adds the rate of indexing and the remaining time, which other processes report. */
export async function up(db: Kysely<never>): Promise<void> {
  const statement = `alter table indexers
    add column blocks_per_second double precision,
    add column events_per_second double precision,
    add column seconds_left bigint`
  await sql.raw(statement).execute(db)
}
