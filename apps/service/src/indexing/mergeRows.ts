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
  const { table, key } = undo
  const columns: Columns = { ...key, ...typesOf(undo) }
  const keys = sql.join(Object.keys(key).map((column) => sql.ref(column)))
  const names = sql.join(Object.keys(columns).map((column) => sql.ref(column)))
  const merge = async (rows: RawBuilder<unknown>) => {
    await sql`
      insert into ${sql.table(table)} (chain_id, ${names}) ${rows}
      on conflict (chain_id, ${keys}) do update set ${assignments(undo)}`.execute(transaction)
  }
  if (final.length > 0) {
    const rows = orderRows(final)
    if (isEmpty) await appendRows(transaction, chainId, table, columns, rows)
    else
      await merge(sql`
        select ${chainId}::bigint, ${names}
        from ${await stageRows(transaction, `staged_${table}`, columns, rows)}`)
  }
  if (replaceable.length === 0) return
  const changes = await stageRows(
    transaction,
    `staged_replaceable_${table}`,
    { block_number: 'bigint', ...columns },
    replaceable,
  )
  await keepImages({ transaction, chainId }, undo, changes)
  const netted = Object.entries(undo.values).map(([column, { merge }]) => {
    return sql`${aggregates[merge]}(${sql.ref(column)})`
  })
  // A row can be merged but once in a statement.
  await merge(sql`
    select ${chainId}::bigint, ${keys}, ${sql.join(netted)} from ${changes} group by ${keys}`)
}

/** Block numbers rise with blocks: the first is the least, the last the greatest. */
const aggregates = { sum: sql`sum`, first: sql`min`, last: sql`max` }

/** Of each row changed by a block, how it was before: as it is kept, and with what the batch's earlier blocks changed. */
async function keepImages(
  { transaction, chainId }: Omit<WriteTarget, 'isEmpty'>,
  { images, table, key, values }: UndoTable,
  changes: RawBuilder<unknown>,
): Promise<void> {
  const change = (column: string) => sql.ref(`change.${column}`)
  const kept = (column: string) => sql.ref(`kept.${column}`)
  const keys = Object.keys(key)
  const isSame = keys.map((column) => sql`${kept(column)} = ${change(column)}`)
  const before = Object.entries(values).map(([column, { merge }]) => {
    const earlier = sql`${aggregates[merge]}(${change(column)}) over earlier`
    if (merge === 'last') return sql`coalesce(${earlier}, ${kept(column)})`
    if (merge === 'first') return sql`coalesce(${kept(column)}, ${earlier})`
    return sql`coalesce(${kept(column)} + ${earlier}, ${kept(column)}, ${earlier})`
  })
  await sql`
    insert into ${sql.table(images)} (chain_id, block_number, ${sql.join(keys.map((column) => sql.ref(column)))},
      existed, ${sql.join(Object.keys(values).map((column) => sql.ref(column)))})
    select ${chainId}::bigint, change.block_number, ${sql.join(keys.map(change))},
      kept.chain_id is not null or count(*) over earlier > 0, ${sql.join(before)}
    from (select * from ${changes}) change
    left join ${sql.table(table)} kept on kept.chain_id = ${chainId}::bigint
      and ${sql.join(isSame, sql` and `)}
    window earlier as (
      partition by ${sql.join(keys.map(change))} order by change.block_number
      rows between unbounded preceding and 1 preceding
    )`.execute(transaction)
}

function assignments({ table, values }: UndoTable): RawBuilder<unknown> {
  const all = Object.entries(values).map(([column, { merge }]) => {
    const [old, brought] = [sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`)]
    if (merge === 'sum') return sql`${sql.ref(column)} = ${old} + ${brought}`
    const [first, second] = merge === 'first' ? [old, brought] : [brought, old]
    return sql`${sql.ref(column)} = coalesce(${first}, ${second})`
  })
  return sql.join(all)
}

function typesOf({ values }: UndoTable): Columns {
  return Object.fromEntries(Object.entries(values).map(([column, { type }]) => [column, type]))
}
