import { type Kysely, type RawBuilder, sql } from 'kysely'
import { copyInto } from '../store/copyInto.ts'
import { copyNull, copyString } from '../store/copyText.ts'
import type { Database } from '../store/Database.ts'

/** The types of rows on their way to the store, by column. */
export type Columns = Readonly<
  Record<string, 'bytea' | 'numeric' | 'bigint' | 'int' | 'smallint' | 'text' | 'boolean'>
>

/** A row in the order of its columns. Bytes are `0x` and lower-case hex. */
export type Row = readonly (string | number | bigint | null)[]

/** So many rows are worth a `COPY`. */
export const manyRows = 200

/**
 * Hands rows to the database for one statement of the same transaction.
 *
 * @param name of the table that many rows travel in; the same name, the same columns.
 * @returns what to select them from; many come in their order.
 */
export async function stageRows(
  transaction: Kysely<Database>,
  name: string,
  columns: Columns,
  rows: readonly Row[],
): Promise<RawBuilder<unknown>> {
  const fields = Object.entries(columns)
  const definitions = sql.join(
    fields.map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`),
  )
  if (rows.length < manyRows) {
    const objects = rows.map((row) =>
      Object.fromEntries(fields.map(([column, type], at) => [column, jsonField(type, row[at])])),
    )
    return sql`json_to_recordset(${JSON.stringify(objects)}::json) as ${sql.ref(name)} (${definitions})`
  }
  const table = sql.table(name)
  // It stays with the connection, empty, since a catalog that forgets it each time grows.
  await sql`create temporary table if not exists ${table} (${definitions}) on commit delete rows`.execute(
    transaction,
  )
  await sql`truncate ${table}`.execute(transaction)
  // No table of the store, yet written like one.
  await copyInto(
    transaction,
    name as keyof Database,
    Object.keys(columns) as never[],
    copyText(Object.values(columns), rows),
  )
  return table
}

function jsonField(type: string, value: Row[number] | undefined): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return value
  return type === 'bytea' ? `\\x${String(value).slice(2)}` : String(value)
}

/**
 * Rows in the text format of `COPY`. In one string, as making one of each field and each row would take longer.
 *
 * @param first a field that all rows begin with.
 */
export function copyText(types: readonly string[], rows: readonly Row[], first?: string): string {
  const before = first === undefined ? '' : `${first}\t`
  const isBytes = (first === undefined ? types : types.slice(1)).map((type) => type === 'bytea')
  const isText = (first === undefined ? types : types.slice(1)).map((type) => type === 'text')
  let text = ''
  for (const row of rows) {
    text += before
    for (let at = 0; at < row.length; at++) {
      const value = row[at]
      if (at > 0) text += '\t'
      if (value === null || value === undefined) text += copyNull
      else if (isBytes[at]) text += '\\\\' + (value as string).slice(1)
      else if (isText[at]) text += copyString(value as string)
      else text += value
    }
    text += '\n'
  }
  return text
}
