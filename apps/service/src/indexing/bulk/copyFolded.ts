import type { DuckDb } from '../../facts/DuckDb.ts'
import type { Fold } from './foldQueries.ts'

/** Parts that are formatted and copied at once: while the store writes some, DuckDB formats another. */
const partsAtOnce = 3

/** The rows of a row group of DuckDB. */
const defaultRowsPerPart = 122_880

interface FoldedTable {
  readonly fold: Pick<Fold, 'columns' | 'bytes'>
  readonly chainId: number
  /** Its name in DuckDB. */
  readonly folded: string
  /** The number of its rows. */
  readonly rows: number
  readonly rowsPerPart?: number
}

/**
 * Copies a folded table to the store, in parts that are in its order, and drops it. DuckDB formats the rows, so that the work of
 * this process does not depend on their number.
 *
 * @param copy - writes rows in the text format of `COPY`.
 */
export async function copyFolded(
  duckDb: DuckDb,
  { fold, chainId, folded, rows, rowsPerPart = defaultRowsPerPart }: FoldedTable,
  copy: (text: Uint8Array, rows: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController()
  const anySignal = AbortSignal.any([signal, failed.signal])
  let next = 0
  const work = () =>
    duckDb.withConnection(async (connection) => {
      while (next < rows) {
        const from = next
        const to = Math.min(rows, from + rowsPerPart)
        next = to
        const query = selectCopyText(fold, chainId, { folded, from, to })
        const [part] = await connection.query<{ text: Uint8Array }>(query, anySignal)
        if (part) {
          await copy(part.text, to - from)
        }
      }
    })
  const working = Array.from({ length: partsAtOnce }, work)
  try {
    await Promise.all(working)
    await duckDb.withConnection((connection) => connection.run(`drop table ${folded}`))
  } finally {
    failed.abort()
    await Promise.allSettled(working)
  }
}

/**
 * Rows of a folded table in the text format of `COPY`, after the id of their chain: UTF-8, in one value.
 *
 * @param rows - the name of the table, and their numbers; `to` is not one of them.
 */
function selectCopyText(
  { columns, bytes }: Pick<Fold, 'columns' | 'bytes'>,
  chainId: number,
  { folded, from, to }: { readonly folded: string; readonly from: number; readonly to: number },
): string {
  const fields = columns.map((column) => {
    const text = bytes.includes(column) ? String.raw`'\\x' || hex(${column})` : `${column}::varchar`
    return String.raw`chr(9), coalesce(${text}, '\N')`
  })
  return `
    select encode(string_agg(concat(${chainId}, ${fields.join()}, chr(10)), '' order by rowid)) as text
    from ${folded} where rowid >= ${from} and rowid < ${to}`
}
