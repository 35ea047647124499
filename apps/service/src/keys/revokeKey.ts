import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/**
 * Ends a key for good. Services take notice within a second.
 *
 * @param id - the key's id, as `listKeys` tells it.
 * @returns false when there is no such key or it was revoked before.
 */
export async function revokeKey(db: Kysely<Database>, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
