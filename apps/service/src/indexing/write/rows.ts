import { type Kysely, type RawBuilder, sql } from 'kysely'
import { copyInto } from '../../store/copyInto.ts'
import { copyNull, copyString } from '../../store/copyText.ts'
import type { Database } from '../../store/Database.ts'

/** The types of the columns of rows, by name. Arrays are in the text format of PostgreSQL. */
export type Columns = Readonly<
  Record<
    string,
    'bytea' | 'numeric' | 'numeric[]' | 'bigint' | 'int' | 'smallint' | 'text' | 'boolean'
  >
>

/** A row in the order of its columns. Bytes are `0x` and lower-case hex. */
export type Row = readonly (string | number | bigint | null)[]

/** Where the rows of a batch are written. */
export interface WriteTarget {
  readonly transaction: Kysely<Database>
  readonly chainId: number
}

/** From this many rows on, `COPY` is faster. Fewer rows, as most blocks have, are one statement instead of up to four. */
const minCopyRows = 1000

/** Inserts rows of a chain that do not exist yet. */
export async function appendRows(
  { transaction, chainId }: WriteTarget,
  table: keyof Database,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) {
    return
  }
  const names = ['chain_id', ...Object.keys(columns)]
  if (rows.length >= minCopyRows) {
    const text = formatCopyText(Object.values(columns), rows, `${chainId}\t`)
    return await copyInto(transaction, table, names as never[], text)
  }
  const targets = sql.join(names.map((name) => sql.ref(name)))
  const source = await copyToTempTable(transaction, `appended_${table}`, columns, rows)
  await sql`
    insert into ${sql.table(table)} (${targets}) select ${chainId}::bigint, * from ${source}`.execute(
    transaction,
  )
}

/**
 * Passes rows to one statement of the same transaction: few as JSON, many as a temporary table.
 *
 * @param name - of the temporary table; the same name implies the same columns.
 * @returns a `from` item with the rows. A temporary table preserves their order.
 */
export async function copyToTempTable(
  transaction: Kysely<Database>,
  name: string,
  columns: Columns,
  rows: readonly Row[],
): Promise<RawBuilder<unknown>> {
  const fields = Object.entries(columns)
  const definitions = sql.join(
    fields.map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`),
  )
  if (rows.length < minCopyRows) {
    const objects = rows.map((row) =>
      Object.fromEntries(fields.map(([column, type], index) => [column, toJson(type, row[index])])),
    )
    return sql`json_to_recordset(${JSON.stringify(objects)}::json) as ${sql.ref(name)} (${definitions})`
  }
  const table = sql.table(name)
  // It stays with the session, as creating it each time would bloat the catalog.
  await sql`create temporary table if not exists ${table} (${definitions}) on commit delete rows`.execute(
    transaction,
  )
  await sql`truncate ${table}`.execute(transaction)
  // Not a table of the store, and yet written like one.
  await copyInto(
    transaction,
    name as keyof Database,
    Object.keys(columns) as never[],
    formatCopyText(Object.values(columns), rows),
  )
  return table
}

function toJson(type: string, value: Row[number] | undefined): string | number | null {
  if (value === null || value === undefined) {
    return null
  }
  if (typeof value === 'number') {
    return value
  }
  return type === 'bytea' ? `\\x${String(value).slice(2)}` : String(value)
}

/**
 * Formats rows in the text format of `COPY`. Appending to one string is faster than joining strings of fields and rows.
 *
 * @param prefix - of each line.
 */
function formatCopyText(types: readonly string[], rows: readonly Row[], prefix = ''): string {
  const isBytes = types.map((type) => type === 'bytea')
  const isText = types.map((type) => type === 'text')
  let text = ''
  for (const row of rows) {
    text += prefix
    for (let index = 0; index < row.length; index++) {
      const value = row[index]
      if (index > 0) {
        text += '\t'
      }
      if (value === null || value === undefined) {
        text += copyNull
      } else if (isBytes[index]) {
        text += '\\\\' + (value as string).slice(1)
      } else if (isText[index]) {
        text += copyString(value as string)
      } else {
        text += value
      }
    }
    text += '\n'
  }
  return text
}

/** The number of values of four hex digits. */
const buckets = 65_536

/**
 * Sorts rows by the first digits of the address in their first column. This is close to the order of the tables' keys, so
 * that neighbors are written to the same pages, and costs a fraction of a full sort.
 *
 * @param offset - of the first digit, where the key does not begin with the address.
 */
export function orderRows(rows: readonly Row[], offset = 2): Row[] {
  const offsets = new Uint32Array(buckets + 1)
  const keys = rows.map(([address]) => parseDigits(String(address), offset))
  for (const key of keys) {
    offsets[key + 1] = (offsets[key + 1] ?? 0) + 1
  }
  for (let key = 1; key <= buckets; key++) {
    offsets[key] = (offsets[key] ?? 0) + (offsets[key - 1] ?? 0)
  }
  const ordered = new Array<Row>(rows.length)
  rows.forEach((row, index) => {
    const key = keys[index] ?? 0
    const position = offsets[key] ?? 0
    ordered[position] = row
    offsets[key] = position + 1
  })
  return ordered
}

/** Parses four digits without allocating a string. */
function parseDigits(address: string, offset: number): number {
  let value = 0
  for (let index = offset; index < offset + 4; index++) {
    const code = address.charCodeAt(index)
    value = value * 16 + (code < 58 ? code - 48 : code - 87)
  }
  return value
}
