import type { Kysely } from 'kysely'
import type { Database } from '../../../../apps/service/src/store/Database.ts'
import type { Pair } from './createTransfers.ts'

/** The tables of the ledger, and the statements that write them. */
export interface Layout {
  readonly name: string
  /** The table with a row per pair of holder and token. */
  readonly table: string
  /** Creates the tables with these rows and all indexes. */
  readonly create: (db: Kysely<Database>, pairs: readonly Pair[]) => Promise<void>
  /** Commits one block, which can be undone, and deletes what undoes blocks up to the finalized one. */
  readonly commit: (
    db: Kysely<Database>,
    block: number,
    changes: readonly Pair[],
    undoBlock: number,
  ) => Promise<void>
  /** Reads 500 holders of a token with the largest amounts. */
  readonly readTopHolders: (db: Kysely<Database>, token: string) => Promise<void>
}
