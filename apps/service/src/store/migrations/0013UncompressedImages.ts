import { type Kysely, sql } from 'kysely'

const arrays = {
  undo_balances: ['holder', 'token', 'amount', 'first_in_block', 'initiated_block'],
  undo_collectible_balances: ['holder', 'contract', 'token_id', 'amount', 'last_in_block'],
  undo_collectibles: ['contract', 'token_id', 'first_block', 'owner'],
  undo_pool_positions: ['pool', 'tick_lower', 'tick_upper', 'liquidity'],
}

/**
 * Stores images without compression: it takes three quarters of the time of an insert, and saves a fifth of what consists of
 * addresses and amounts mostly, and is deleted once its block is final.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [table, columns] of Object.entries(arrays)) {
    const changes = ['existed', ...columns].map(
      (column) => sql`alter column ${sql.ref(column)} set storage external`,
    )
    // Those of partitions as well.
    await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db)
  }
}
