import { type Kysely, sql } from 'kysely'

/**
 * Stores up to which block the states of pools are downsampled, to continue there. Finds pools by their pair in both
 * orders: a token may be in any number of pools, but in few with a certain other token.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `create table price_histories (
       chain_id bigint primary key,
       thinned_block bigint not null
     )`,
    `drop index pools_by_token1`,
    `create index pools_by_reverse_pair on pools (chain_id, token1, token0)`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
