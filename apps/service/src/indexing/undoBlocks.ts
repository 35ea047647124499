import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { type UndoTable, undoTables } from './undoTables.ts'

/**
 * Takes back everything that the blocks above `ancestor` brought: the tables end as if those had never been.
 * Rows that later blocks changed are found by their images, never by scanning.
 */
export async function undoBlocks(
  db: Kysely<Database>,
  chainId: number,
  ancestor: number,
): Promise<void> {
  const above = { chainId, ancestor }
  // An NFT is first seen when somebody gets or gives it.
  await sql`
    delete from collectibles using undo_collectible_balances image
    where image.chain_id = ${chainId}::bigint and image.block_number > ${ancestor}::bigint
      and collectibles.chain_id = ${chainId}::bigint and collectibles.first_block > ${ancestor}::bigint
      and collectibles.contract = image.contract and collectibles.token_id = image.token_id`.execute(
    db,
  )
  for (const undo of undoTables) {
    await restore(db, undo, above)
    await deleteAbove(db, undo.images, 'block_number', above)
  }
  await deleteAbove(db, 'collectible_sales', 'block_number', above)
  await deleteAbove(db, 'pool_states', 'block_number', above)
  await deleteAbove(db, 'pools', 'first_block', above)
  await deleteAbove(db, 'tokens', 'first_block', above)
  await deleteAbove(db, 'blocks', 'number', above)
}

interface Above {
  readonly chainId: number
  readonly ancestor: number
}

/** Of each row the oldest image taken back is as it was at the ancestor; where that is of no row, there is none again. */
async function restore(
  db: Kysely<Database>,
  { images, table, key, values }: UndoTable,
  { chainId, ancestor }: Above,
): Promise<void> {
  const columns = Object.keys(key)
  const keys = sql.join(columns.map((column) => sql.ref(column)))
  const kept = sql.table(table)
  const isSame = sql.join(
    columns.map((column) => sql`${kept}.${sql.ref(column)} = image.${sql.ref(column)}`),
    sql` and `,
  )
  const restored = sql.join(
    Object.keys(values).map((column) => sql`${sql.ref(column)} = image.${sql.ref(column)}`),
  )
  await sql`
    with image as materialized (
      select distinct on (${keys}) * from ${sql.table(images)}
      where chain_id = ${chainId}::bigint and block_number > ${ancestor}::bigint
      order by ${keys}, block_number
    ),
    restored as (
      update ${kept} set ${restored} from image
      where existed and ${kept}.chain_id = ${chainId}::bigint and ${isSame}
    )
    delete from ${kept} using image
    where not existed and ${kept}.chain_id = ${chainId}::bigint and ${isSame}`.execute(db)
}

async function deleteAbove(
  db: Kysely<Database>,
  table: keyof Database,
  column: string,
  { chainId, ancestor }: Above,
): Promise<void> {
  await sql`
    delete from ${sql.table(table)}
    where chain_id = ${chainId}::bigint and ${sql.ref(column)} > ${ancestor}::bigint`.execute(db)
}
