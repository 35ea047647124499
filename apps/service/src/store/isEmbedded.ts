import { type Kysely, PGliteAdapter } from 'kysely'
import type { Database } from './Database.ts'

/** Whether the database belongs to this process, and has one session. */
export function isEmbedded(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof PGliteAdapter
}
