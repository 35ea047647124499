import { type Kysely, sql } from 'kysely'

/** How far the states of pools are thinned, so that thinning goes on where it stopped. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table price_histories (
      chain_id bigint primary key,
      thinned_block bigint not null
    )`.execute(db)
}
