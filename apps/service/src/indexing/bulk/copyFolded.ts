import type { DuckDb } from '../../facts/DuckDb.ts'
import { type Fold, selectCopyText } from './foldQueries.ts'

/** Parts that are formatted and copied at once: while the store writes some, DuckDB formats another. */
const partsAtOnce = 3

/** Those of a row group of DuckDB. */
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
 * Copies a folded table to the store, in parts that are in its order, and drops it. DuckDB formats the rows, so that the work of this
 * process does not depend on their number.
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
