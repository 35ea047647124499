import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Database } from './Database.ts'

const fromClient = ' from stdin'

/**
 * Appends rows to a table with `COPY`, in the caller's transaction if there is one. It is several times as fast as `insert`
 * and does not support `on conflict`: a row that violates a constraint fails the statement, and no row is inserted.
 *
 * @param columns - in the order of the fields.
 * @param rows - in the text format of `COPY` (see `copyText.ts`), also as UTF-8; empty for none.
 */
export async function copyInto<Table extends keyof Database>(
  db: Kysely<Database>,
  table: Table,
  columns: readonly (keyof Database[Table] & string)[],
  rows: string | Uint8Array,
): Promise<void> {
  if (rows.length === 0) {
    return
  }
  const target = sql`copy ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})`
  await db.executeQuery(CompiledQuery.raw(target.compile(db).sql + fromClient, [rows]))
}

/** A `COPY` statement and its rows. */
export interface Copy {
  /** `copy … (…)`, without `from`. */
  readonly target: string
  readonly rows: string | Uint8Array
}

/** Recognizes a statement of `copyInto`, which a driver must handle differently; undefined for any other statement. */
export function parseCopy(statement: unknown, parameters: unknown): Copy | undefined {
  if (typeof statement !== 'string' || !Array.isArray(parameters)) {
    return undefined
  }
  if (!statement.startsWith('copy ') || !statement.endsWith(fromClient)) {
    return undefined
  }
  const rows = parameters[0] as Copy['rows']
  return { target: statement.slice(0, -fromClient.length), rows }
}
