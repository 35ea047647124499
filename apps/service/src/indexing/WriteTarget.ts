import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'

/** Where changes are written, and on what. */
export interface WriteTarget {
  readonly transaction: Kysely<Database>
  readonly chainId: number
  /** Whether nothing of the chain is there yet. */
  readonly isEmpty: boolean
}
