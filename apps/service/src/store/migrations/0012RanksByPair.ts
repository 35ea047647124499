import { type Kysely, sql } from 'kysely'

/**
 * Adds an index of ranks by pair, so that the deepest pools of a token and a quote token are found beside any number of others.
 */
export async function up(db: Kysely<never>): Promise<void> {
  // Pools of more than two tokens, and ranks that were written before pairs were, have no other token.
  await sql`
    create index pool_ranks_by_pair
    on pool_ranks (chain_id, (token || coalesce(other_token, ''::bytea)), rank desc, pool)`.execute(
    db,
  )
}
