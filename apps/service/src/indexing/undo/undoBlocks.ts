import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { undoUnreadPools } from '../fold/unreadPools.ts'
import { changeTokenEvents } from '../write/changeTokenEvents.ts'
import { undoPoolRanks } from '../write/rankPools.ts'
import { undoAudit } from './undoAudit.ts'
import { isSameKey, selectImages, type UndoTable, undoTables } from './undoTables.ts'

/**
 * Undoes the blocks above `ancestor`: the tables become as if these had never been indexed. The affected rows are found by
 * their images, without a scan.
 */
export async function undoBlocks(
  db: Kysely<Database>,
  chainId: number,
  ancestor: number,
): Promise<void> {
  const above = { chainId, ancestor }
  for (const undo of undoTables) {
    await restoreRows(db, undo, above)
    await deleteAbove(db, undo.images, 'block_number', above)
  }
  await deleteAbove(db, 'collectible_sales', 'block_number', above)
  await deleteAbove(db, 'skipped_events', 'block_number', above)
  // Before the states, by which the pools that changed are found.
  await undoPoolRanks(db, chainId, ancestor)
  await deleteAbove(db, 'pool_states', 'block_number', above)
  await deleteAbove(db, 'pools', 'first_block', above)
  await undoUnreadPools(db, chainId, ancestor)
  await deleteAbove(db, 'tokens', 'first_block', above)
  await undoTokenEvents(db, above)
  await deleteAbove(db, 'blocks', 'number', above)
  await undoAudit(db, chainId, ancestor)
}

interface Above {
  readonly chainId: number
  readonly ancestor: number
}

/** Restores each row from its oldest image above the ancestor, and deletes those that did not exist then. */
async function restoreRows(
  db: Kysely<Database>,
  undo: UndoTable,
  { chainId, ancestor }: Above,
): Promise<void> {
  const { table, key, values } = undo
  const keys = sql.join(Object.keys(key).map((column) => sql.ref(column)))
  const target = sql.table(table)
  const isImaged = sql`${target}.chain_id = ${chainId}::bigint and ${isSameKey(undo, table, 'image')}`
  const assignments = sql.join(
    Object.keys(values).map((column) => sql`${sql.ref(column)} = image.${sql.ref(column)}`),
  )
  await sql`
    with image as materialized (
      select distinct on (${keys}) * from (
        ${selectImages(undo, { chainId, above: ancestor })}
      ) as undone
      order by ${keys}, block_number, part
    ),
    restored as (
      update ${target} set ${assignments} from image
      where existed and ${isImaged}
    )
    delete from ${target} using image
    where not existed and ${isImaged}`.execute(db)
}

/** Removes the standards of events that only undone blocks had. */
async function undoTokenEvents(db: Kysely<Database>, { chainId, ancestor }: Above): Promise<void> {
  const changes = sql`
    select address, bit_or(events) as events from undo_token_events
    where chain_id = ${chainId}::bigint and block_number > ${ancestor}::bigint
    group by address`
  await changeTokenEvents(db, chainId, { changes, merge: sql`tokens.events & ~change.events` })
  await deleteAbove(db, 'undo_token_events', 'block_number', { chainId, ancestor })
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
