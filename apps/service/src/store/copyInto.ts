import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Database } from './Database.ts'

const fromClient = ' from stdin'

/**
 * Appends rows to a table by `COPY`, in the transaction of the caller where there is one. It is several times as fast as
 * `insert`, and has no `on conflict`: a row that may not be there ends the statement, and none of its rows stays.
 *
 * @param columns - the fields of each row, in their order.
 * @param rows - in the text format of `COPY`, as `copyText.ts` writes it; empty for none.
 */
export async function copyInto<Table extends keyof Database>(
  db: Kysely<Database>,
  table: Table,
  columns: readonly (keyof Database[Table] & string)[],
  rows: string,
): Promise<void> {
  if (rows === '') {
    return
  }
  const target = sql`copy ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})`
  await db.executeQuery(CompiledQuery.raw(target.compile(db).sql + fromClient, [rows]))
}

/** A statement that takes rows from the client, and the rows. */
export interface Copy {
  /** `copy … (…)`, without where the rows come from. */
  readonly target: string
  readonly rows: string
}

/** What `copyInto` hands to a driver, which must treat it apart; undefined for any other statement. */
export function asCopy(statement: unknown, parameters: unknown): Copy | undefined {
  if (typeof statement !== 'string' || !Array.isArray(parameters)) {
    return undefined
  }
  if (!statement.startsWith('copy ') || !statement.endsWith(fromClient)) {
    return undefined
  }
  return { target: statement.slice(0, -fromClient.length), rows: String(parameters[0]) }
}
