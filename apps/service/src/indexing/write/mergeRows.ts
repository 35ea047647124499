import { type RawBuilder, sql } from 'kysely'
import { holderKeyOffset } from '../../store/holderKey.ts'
import { getImageColumns, isSameKey, type Merge, type UndoTable } from '../undo/undoTables.ts'
import {
  appendRows,
  type Columns,
  copyToTempTable,
  orderRows,
  type Row,
  type WriteTarget,
} from './rows.ts'

/** The changes of a batch to the rows of a table: keys, then values. */
export interface ChangedRows {
  /** Of all final blocks together: each key once. */
  readonly final: readonly Row[]
  /** Of each unfinalized block, with its number as the first column: each key once per block. */
  readonly unfinalized: readonly Row[]
}

/** Merges changes into a table, and stores images of its rows before each unfinalized block. */
export async function mergeRows(
  target: WriteTarget,
  undo: UndoTable,
  { final, unfinalized }: ChangedRows,
): Promise<void> {
  const { table, key, values } = undo
  const { transaction } = target
  const columns: Columns = { ...key, ...getTypes(undo) }
  if (final.length > 0) {
    const rows = orderRows(final, table === 'balances' ? holderKeyOffset : undefined)
    if (target.isEmpty) {
      await appendRows(target, table, columns, rows)
    } else {
      const changes = await copyToTempTable(transaction, `staged_${table}`, columns, rows)
      await mergeChanges(target, undo, changes)
    }
  }
  if (unfinalized.length === 0) {
    return
  }
  const changes = await copyToTempTable(
    transaction,
    `staged_unfinalized_${table}`,
    { block_number: 'bigint', ...columns },
    unfinalized,
  )
  await storeImages(target, undo, changes)
  const keys = list(Object.keys(key))
  const aggregated = Object.entries(values).map(([column, { merge }]) => {
    return sql`${aggregate(merge, sql.ref(column), sql`order by block_number`)} as ${sql.ref(column)}`
  })
  // A statement can merge a row only once.
  await mergeChanges(
    target,
    undo,
    sql`(select ${keys}, ${sql.join(aggregated)} from ${changes} group by ${keys}) as aggregated`,
  )
}

/** Merges changes, each key once. Only one process writes a chain's rows, so that none is inserted concurrently. */
async function mergeChanges(
  { transaction, chainId }: WriteTarget,
  undo: UndoTable,
  changes: RawBuilder<unknown>,
): Promise<void> {
  const { table, key, values } = undo
  const columns = [...Object.keys(key), ...Object.keys(values)]
  const merged = Object.entries(values).map(([column, { merge }]) => {
    const [before, change] = [sql.ref(`stored.${column}`), sql.ref(`change.${column}`)]
    if (merge === 'sum') {
      return sql`${before} + ${change}`
    }
    const [first, second] = merge === 'first' ? [before, change] : [change, before]
    return sql`coalesce(${first}, ${second})`
  })
  const assigned = Object.keys(values)
  const assignments = assigned.map((column, index) => sql`${sql.ref(column)} = ${merged[index]}`)
  const stored = list(assigned.map((column) => `stored.${column}`))
  // A third faster than `insert … on conflict` where most rows exist already.
  await sql`
    merge into ${sql.table(table)} stored
    using (select * from ${changes}) change
    on stored.chain_id = ${chainId}::bigint and ${isSameKey(undo, 'stored', 'change')}
    when matched and (${stored}) is distinct from (${sql.join(merged)})
      then update set ${sql.join(assignments)}
    when not matched then insert (chain_id, ${list(columns)})
      values (${chainId}::bigint, ${list(columns.map((column) => `change.${column}`))})`.execute(
    transaction,
  )
}

/**
 * Aggregates the changes of several blocks. Block numbers increase, so that the first is the minimum; a last value may be
 * of any type.
 *
 * @param order - of the rows by block, unless the window has one.
 * @param over - the window clause.
 */
function aggregate(
  merge: Merge,
  column: RawBuilder<unknown>,
  order = sql``,
  over = sql``,
): RawBuilder<unknown> {
  if (merge === 'last') {
    return sql`(array_agg(${column} ${order}) filter (where ${column} is not null) ${over})[count(${column}) ${over}]`
  }
  return sql`${merge === 'sum' ? sql`sum` : sql`min`}(${column}) ${over}`
}

/**
 * Stores each row that a block changes as it was before: the stored row with the changes of the batch's earlier blocks. A
 * block that the audit corrects has further parts.
 */
async function storeImages(
  { transaction, chainId }: WriteTarget,
  undo: UndoTable,
  changes: RawBuilder<unknown>,
): Promise<void> {
  const { images, table, key, values } = undo
  const stored = (column: string) => sql.ref(`stored.${column}`)
  const keys = Object.keys(key)
  const changedKeys = list(keys.map((column) => `change.${column}`))
  const before = Object.entries(values).map(([column, { merge }]) => {
    const earlier = aggregate(merge, sql.ref(`change.${column}`), sql``, sql`over earlier`)
    const value =
      merge === 'last'
        ? sql`coalesce(${earlier}, ${stored(column)})`
        : merge === 'first'
          ? sql`coalesce(${stored(column)}, ${earlier})`
          : sql`coalesce(${stored(column)} + ${earlier}, ${stored(column)}, ${earlier})`
    return sql`${value} as ${sql.ref(column)}`
  })
  const columns = getImageColumns(undo)
  // Each array has the rows in the same order, whatever it is: sorting them takes a tenth of the statement.
  const packed = columns.map((column) => sql`array_agg(${sql.ref(column)})`)
  await sql`
    insert into ${sql.table(images)} (chain_id, block_number, part, ${list(columns)})
    select ${chainId}::bigint, block_number, (
        select coalesce(max(part) + 1, 0) from ${sql.table(images)} earlier
        where earlier.chain_id = ${chainId}::bigint and earlier.block_number = image.block_number
      ), ${sql.join(packed)}
    from (
      select change.block_number, ${changedKeys},
        stored.chain_id is not null or count(*) over earlier > 0 as existed, ${sql.join(before)}
      from (select * from ${changes}) change
      left join ${sql.table(table)} stored
        on stored.chain_id = ${chainId}::bigint and ${isSameKey(undo, 'stored', 'change')}
      window earlier as (
        partition by ${changedKeys} order by change.block_number
        rows between unbounded preceding and 1 preceding
      )
    ) image
    group by block_number`.execute(transaction)
}

function list(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

function getTypes({ values }: UndoTable): Columns {
  return Object.fromEntries(Object.entries(values).map(([column, { type }]) => [column, type]))
}
