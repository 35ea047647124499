import type { Columns } from '../write/rows.ts'

/** How a column merges the change of a later block: as the sum, or as the first or the last value that is not null. */
export type Merge = 'sum' | 'first' | 'last'

/** A table with changing rows, and that of their images: the rows before each unfinalized block that changed them. */
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
  key: { holder: 'bytea', token: 'bytea', standard: 'smallint' },
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
