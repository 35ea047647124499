import { type Kysely, sql } from 'kysely'

/**
 * Adds what the undo of a reorg needs: its lowest block, also after a restart, and indexes of the affected rows; and the
 * scope of the rows, to detect a changed configuration.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `alter table chains add column final_block bigint not null default -1`,
    `alter table chains add column scope text not null default ''`,
    `create index pool_states_by_block on pool_states (chain_id, block_number)`,
    `create index tokens_by_first_block on tokens (chain_id, first_block)`,
    `create index pools_by_first_block on pools (chain_id, first_block)`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
