import { type RawBuilder, sql } from 'kysely'
import { appendRows } from './appendRows.ts'
import { orderRows } from './orderRows.ts'
import { type Columns, type Row, stageRows } from './stageRows.ts'
import type { UndoTable } from './undoTables.ts'
import type { WriteTarget } from './WriteTarget.ts'

/** What the blocks of a batch changed of the rows of a table: keys, then values. */
export interface ChangedRows {
  /** Of all final blocks together: each key once. */
  readonly final: readonly Row[]
  /** Of each block that may be replaced, whose number comes first: each key once a block. */
  readonly replaceable: readonly Row[]
}

/** Merges changes into a table, and keeps its rows as they were before each block that may be replaced. */
export async function mergeRows(
  { transaction, chainId, isEmpty }: WriteTarget,
  undo: UndoTable,
  { final, replaceable }: ChangedRows,
): Promise<void> {
  const { table, key, values } = undo
  const columns: Columns = { ...key, ...typesOf(undo) }
  if (final.length > 0) {
    const rows = orderRows(final)
    if (isEmpty) await appendRows(transaction, chainId, table, columns, rows)
    else {
      const changes = await stageRows(transaction, `staged_${table}`, columns, rows)
      await merge({ transaction, chainId }, undo, changes)
    }
  }
  if (replaceable.length === 0) return
  const changes = await stageRows(
    transaction,
    `staged_replaceable_${table}`,
    { block_number: 'bigint', ...columns },
    replaceable,
  )
  await keepImages({ transaction, chainId }, undo, changes)
  const keys = list(Object.keys(key))
  const netted = Object.entries(values).map(([column, { merge }]) => {
    return sql`${aggregates[merge]}(${sql.ref(column)}) as ${sql.ref(column)}`
  })
  // A row can be merged but once in a statement.
  await merge(
    { transaction, chainId },
    undo,
    sql`(select ${keys}, ${sql.join(netted)} from ${changes} group by ${keys}) as netted`,
  )
}

/** Merges changes, each key once. One process alone writes a chain's rows, so none appears meanwhile. */
async function merge(
  { transaction, chainId }: Omit<WriteTarget, 'isEmpty'>,
  { table, key, values }: UndoTable,
  changes: RawBuilder<unknown>,
): Promise<void> {
  const columns = [...Object.keys(key), ...Object.keys(values)]
  const assignments = Object.entries(values).map(([column, { merge }]) => {
    const [old, brought] = [sql.ref(`kept.${column}`), sql.ref(`change.${column}`)]
    if (merge === 'sum') return sql`${sql.ref(column)} = ${old} + ${brought}`
    const [first, second] = merge === 'first' ? [old, brought] : [brought, old]
    return sql`${sql.ref(column)} = coalesce(${first}, ${second})`
  })
  // Quicker by a third than `insert … on conflict`, where most rows are there already.
  await sql`
    merge into ${sql.table(table)} kept
    using (select * from ${changes}) change
    on kept.chain_id = ${chainId}::bigint and ${isSameKey(key)}
    when matched then update set ${sql.join(assignments)}
    when not matched then insert (chain_id, ${list(columns)})
      values (${chainId}::bigint, ${list(columns.map((column) => `change.${column}`))})`.execute(
    transaction,
  )
}

/** Block numbers rise with blocks: the first is the least, the last the greatest. */
const aggregates = { sum: sql`sum`, first: sql`min`, last: sql`max` }

/** Of each row changed by a block, how it was before: as it is kept, and with what the batch's earlier blocks changed. */
async function keepImages(
  { transaction, chainId }: Omit<WriteTarget, 'isEmpty'>,
  { images, table, key, values }: UndoTable,
  changes: RawBuilder<unknown>,
): Promise<void> {
  const kept = (column: string) => sql.ref(`kept.${column}`)
  const keys = Object.keys(key)
  const changed = list(keys.map((column) => `change.${column}`))
  const before = Object.entries(values).map(([column, { merge }]) => {
    const earlier = sql`${aggregates[merge]}(${sql.ref(`change.${column}`)}) over earlier`
    if (merge === 'last') return sql`coalesce(${earlier}, ${kept(column)})`
    if (merge === 'first') return sql`coalesce(${kept(column)}, ${earlier})`
    return sql`coalesce(${kept(column)} + ${earlier}, ${kept(column)}, ${earlier})`
  })
  await sql`
    insert into ${sql.table(images)} (chain_id, block_number, ${list(keys)}, existed,
      ${list(Object.keys(values))})
    select ${chainId}::bigint, change.block_number, ${changed},
      kept.chain_id is not null or count(*) over earlier > 0, ${sql.join(before)}
    from (select * from ${changes}) change
    left join ${sql.table(table)} kept on kept.chain_id = ${chainId}::bigint and ${isSameKey(key)}
    window earlier as (
      partition by ${changed} order by change.block_number
      rows between unbounded preceding and 1 preceding
    )`.execute(transaction)
}

function list(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

function isSameKey(key: Columns): RawBuilder<unknown> {
  const columns = Object.keys(key)
  return sql.join(
    columns.map((column) => sql`${sql.ref(`kept.${column}`)} = ${sql.ref(`change.${column}`)}`),
    sql` and `,
  )
}

function typesOf({ values }: UndoTable): Columns {
  return Object.fromEntries(Object.entries(values).map(([column, { type }]) => [column, type]))
}
