import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { Key } from './Key.ts'
import { toKey } from './toKey.ts'

/** Lists all issued keys, revoked ones included, in the order of issue. */
export async function listKeys(db: Kysely<Database>): Promise<Key[]> {
  const rows = await db.selectFrom('keys').selectAll().orderBy('id').execute()
  return rows.map(toKey)
}
