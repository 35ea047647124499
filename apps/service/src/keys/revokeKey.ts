import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/**
 * Revokes a key. Services reject it within a second.
 *
 * @param id - the id of the key, as `loadAllKeys` returns it.
 * @returns false when there is no such key or it is revoked already.
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
