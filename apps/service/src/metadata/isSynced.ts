import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'

/** Whether the first indexing of a chain is done. Before that, its tables lack the indexes that queries of metadata need. */
export async function isSynced(db: Kysely<Database>, chainId: number): Promise<boolean> {
  const synced = await db
    .selectFrom('chains')
    .select('chain_id')
    .where('chain_id', '=', chainId)
    .where('synced_at', 'is not', null)
    .executeTakeFirst()
  return synced !== undefined
}
