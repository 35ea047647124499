import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/**
 * Takes back everything that the blocks above `ancestor` brought: the tables end as if those had never been.
 * Balances are found by their changes, never by scanning.
 */
export async function undoBlocks(
  db: Kysely<Database>,
  chainId: number,
  ancestor: number,
): Promise<void> {
  await sql`
    update balances set amount = balances.amount - undone.delta
    from (
      select holder, token, sum(delta) as delta from balance_changes
      where chain_id = ${chainId}::bigint and block_number > ${ancestor}::bigint
      group by holder, token
    ) undone
    where balances.chain_id = ${chainId}::bigint
      and balances.holder = undone.holder and balances.token = undone.token`.execute(db)
  await sql`
    delete from balances using balance_changes undone
    where balances.chain_id = ${chainId}::bigint and balances.first_block > ${ancestor}::bigint
      and undone.chain_id = ${chainId}::bigint and undone.block_number > ${ancestor}::bigint
      and balances.holder = undone.holder and balances.token = undone.token`.execute(db)
  const above = { chainId, ancestor }
  await deleteAbove(db, 'balance_changes', 'block_number', above)
  await deleteAbove(db, 'pool_states', 'block_number', above)
  await deleteAbove(db, 'pools', 'first_block', above)
  await deleteAbove(db, 'tokens', 'first_block', above)
  await deleteAbove(db, 'blocks', 'number', above)
}

async function deleteAbove(
  db: Kysely<Database>,
  table: keyof Database,
  column: string,
  { chainId, ancestor }: { chainId: number; ancestor: number },
): Promise<void> {
  await sql`
    delete from ${sql.table(table)}
    where chain_id = ${chainId}::bigint and ${sql.ref(column)} > ${ancestor}::bigint`.execute(db)
}
