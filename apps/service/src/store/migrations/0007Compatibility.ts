import { type Kysely, sql } from 'kysely'

/** Adds which programs can use the tables, for programs that are older than the tables. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table compatibility (oldest_migration text not null)`.execute(db)
  await sql`insert into compatibility values ('')`.execute(db)
}
