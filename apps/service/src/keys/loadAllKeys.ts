import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { ApiKey } from './ApiKey.ts'
import { toKey } from './toKey.ts'

/** Loads all issued keys, revoked ones included, in the order of issue. */
export async function loadAllKeys(db: Kysely<Database>): Promise<ApiKey[]> {
  const rows = await db.selectFrom('keys').selectAll().orderBy('id').execute()
  return rows.map(toKey)
}
