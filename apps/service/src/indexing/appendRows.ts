import { type Kysely, sql } from 'kysely'
import { copyInto } from '../store/copyInto.ts'
import type { Database } from '../store/Database.ts'
import { type Columns, copyText, manyRows, type Row, stageRows } from './stageRows.ts'

/** Inserts rows of a chain that are not there yet. */
export async function appendRows(
  transaction: Kysely<Database>,
  chainId: number,
  table: keyof Database,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const names = ['chain_id', ...Object.keys(columns)]
  if (rows.length >= manyRows) {
    const types = ['bigint', ...Object.values(columns)]
    const text = copyText(types, rows, `${chainId}`)
    return await copyInto(transaction, table, names as never[], text)
  }
  const targets = sql.join(names.map((name) => sql.ref(name)))
  const source = await stageRows(transaction, `appended_${table}`, columns, rows)
  await sql`
    insert into ${sql.table(table)} (${targets}) select ${chainId}::bigint, * from ${source}`.execute(
    transaction,
  )
}
