import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'

/** Where changes are written, and on what. */
export interface WriteTarget {
  readonly transaction: Kysely<Database>
  readonly chainId: number
  /** Whether nothing of the chain is there yet. */
  readonly isEmpty?: boolean
  /** The one block that made the changes, where it may still be replaced: rows are kept as they are before. */
  readonly undoneBy?: number
}
