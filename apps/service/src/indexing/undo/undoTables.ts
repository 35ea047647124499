import { type RawBuilder, sql } from 'kysely'
import { isHolder } from '../../store/holderKey.ts'
import type { Columns } from '../write/rows.ts'

/** How a column merges the change of a later block: as the sum, or as the first or the last value that is not null. */
export type Merge = 'sum' | 'first' | 'last'

/**
 * A table with changing rows, and that of their images: the rows before each undoable block that changed them. The
 * images of a block are one row of arrays, as a row and an index entry for each would be most of the write-ahead log.
 */
export interface UndoTable {
  readonly table: 'balances' | 'collectible_balances' | 'collectibles' | 'pool_positions'
  readonly images: `undo_${UndoTable['table']}`
  /** The key of a row within the chain. */
  readonly key: Columns
  readonly values: Readonly<
    Record<string, { readonly type: 'numeric' | 'bigint' | 'bytea'; readonly merge: Merge }>
  >
}

export const balancesTable: UndoTable = {
  images: 'undo_balances',
  table: 'balances',
  key: { holder: 'bytea', token: 'int' },
  values: {
    amount: { type: 'numeric', merge: 'sum' },
    first_in_block: { type: 'bigint', merge: 'first' },
    initiated_block: { type: 'bigint', merge: 'first' },
  },
}

export const collectibleBalancesTable: UndoTable = {
  images: 'undo_collectible_balances',
  table: 'collectible_balances',
  key: { holder: 'bytea', contract: 'bytea', token_id: 'numeric' },
  values: {
    amount: { type: 'numeric', merge: 'sum' },
    last_in_block: { type: 'bigint', merge: 'last' },
  },
}

/** The other columns are metadata, which do not depend on blocks. */
export const collectiblesTable: UndoTable = {
  images: 'undo_collectibles',
  table: 'collectibles',
  key: { contract: 'bytea', token_id: 'numeric' },
  values: {
    first_block: { type: 'bigint', merge: 'first' },
    owner: { type: 'bytea', merge: 'last' },
  },
}

export const poolPositionsTable: UndoTable = {
  images: 'undo_pool_positions',
  table: 'pool_positions',
  key: { pool: 'bytea', tick_lower: 'int', tick_upper: 'int' },
  values: { liquidity: { type: 'numeric', merge: 'sum' } },
}

export const undoTables = [
  balancesTable,
  collectibleBalancesTable,
  collectiblesTable,
  poolPositionsTable,
]

/** The columns of a changed row: the key, then the values. */
export function getRowColumns({ key, values }: UndoTable): Columns {
  const types = Object.entries(values).map(([column, { type }]) => [column, type] as const)
  return { ...key, ...Object.fromEntries(types) }
}

/** The columns of an image: `existed`, the key, and the values, which are null where the row did not exist. */
export function getImageColumns(undo: UndoTable): string[] {
  return ['existed', ...Object.keys(getRowColumns(undo))]
}

/** Whether two rows, by their aliases, have the same key. */
export function isSameKey({ table, key }: UndoTable, a: string, b: string): RawBuilder<unknown> {
  const conditions = Object.keys(key).map((column) => {
    const first = sql.ref(`${a}.${column}`)
    const second = sql.ref(`${b}.${column}`)
    return table === 'balances' && column === 'holder'
      ? isHolder(first, second)
      : sql`${first} = ${second}`
  })
  return sql.join(conditions, sql` and `)
}

/**
 * Selects the images of a range of blocks, a row each, with their `block_number`. Of several images of a row, that with the
 * lowest block and then the lowest `part` is the oldest: the audit may correct a block that was written before.
 *
 * @param range - blocks above `above`, up to `upTo`; with `maxBlocks`, the latest of them.
 */
export function selectImages(
  undo: UndoTable,
  {
    chainId,
    above,
    upTo = Number.MAX_SAFE_INTEGER,
    maxBlocks,
  }: { chainId: number; above: number; upTo?: number; maxBlocks?: number },
): RawBuilder<unknown> {
  const columns = getImageColumns(undo)
  return sql`
    select packed.block_number, packed.part, image.*
    from (
      select * from ${sql.table(undo.images)}
      where chain_id = ${chainId}::bigint
        and block_number > ${above}::bigint and block_number <= ${upTo}::bigint
      ${maxBlocks === undefined ? sql`` : sql`order by block_number desc limit ${sql.lit(maxBlocks)}`}
    ) packed
    cross join lateral unnest(${sql.join(columns.map((column) => sql.ref(`packed.${column}`)))})
      as image (${sql.join(columns.map((column) => sql.ref(column)))})`
}
