import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/**
 * Takes back everything that the blocks above `ancestor` brought: the tables end as if those had never been.
 * Balances are found by their images, never by scanning.
 */
export async function undoBlocks(
  db: Kysely<Database>,
  chainId: number,
  ancestor: number,
): Promise<void> {
  // Of each balance the oldest image taken back is as it was at the ancestor.
  await sql`
    with image as (
      select distinct on (holder, token, standard) * from undo_balances
      where chain_id = ${chainId}::bigint and block_number > ${ancestor}::bigint
      order by holder, token, standard, block_number
    ),
    restored as (
      update balances set amount = image.amount, first_in_block = image.first_in_block,
        initiated_block = image.initiated_block
      from image
      where existed and balances.chain_id = ${chainId}::bigint and balances.holder = image.holder
        and balances.token = image.token and balances.standard = image.standard
    )
    delete from balances using image
    where not existed and balances.chain_id = ${chainId}::bigint and balances.holder = image.holder
      and balances.token = image.token and balances.standard = image.standard`.execute(db)
  const above = { chainId, ancestor }
  await deleteAbove(db, 'undo_balances', 'block_number', above)
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
